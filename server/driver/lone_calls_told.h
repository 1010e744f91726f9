// LoneCallsTold: what `check` explores and tells of the calls that one thread makes alone, and of calls side
// by side behind the best: those of a file have the time of one exploration, or up to three times as much
// where they are many, each kind for itself, and of those that show nothing the user gets one line.
//
// Threading: next() by any thread, all else by one.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report.h"
#include "analysis/support/budget.h"
#include "server/driver/exploration_input.h"

namespace heddle {

class LoneCallsTold {
 public:
  /// All must outlive it. `areBeside`: of programs that were explored already.
  LoneCallsTold(const std::vector<ExplorationInput>& inputs, bool areBeside, std::stop_token stop);

  /// The budget of the next call of that input's file; nothing: the time is spent.
  std::optional<Budget> next(const ExplorationInput& input);
  /// It shares its time with others of its kind.
  static bool isOne(const ExplorationInput& input) { return input.isAlone || input.isFurther; }
  /// Whether other harnesses of the file say how it is: then a call alone that was not decided changes
  /// nothing.
  bool hasOthers(const ExplorationInput& input) const;
  /// Takes a report up that shows nothing; null: there was no time for one.
  void add(const ExplorationInput& input, const Report* report);
  /// "pool.c: 12 other calls, each alone: 9 verified-within-bounds, 1 incomplete; 3 of the verified took not
  /// all sides of conditions; no time for 2", a line for each file and kind.
  std::string text() const;

 private:
  struct Calls {
    std::optional<Budget> budget;  // of all, from the first one on
    double left = 0;               // calls that were given no time yet, by what each is worth
    size_t all = 0;                // calls, each once
    std::map<Verdict, size_t> verdicts;
    size_t inPart = 0;  // of those that are called verified: conditions have sides that no execution took
    size_t notExplored = 0;
  };

  const std::stop_token stop_;
  std::mutex mutex_;                                           // guards `budget` and `left` of each
  std::map<const SourceFile*, bool> hasOthers_;                // harnesses that have a time of their own
  std::map<std::pair<const SourceFile*, bool>, Calls> calls_;  // by file, and whether they are made alone
};

}  // namespace heddle
