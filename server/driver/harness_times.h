// HarnessTimes: the time of each harness of a file that has one of its own. Behind two that ran out of theirs
// the others have half: calls on the same state as a rule run out of it, too, and must not keep all else of
// the file from its turn.
//
// Threading: any thread.
#pragma once

#include <map>
#include <mutex>
#include <stop_token>
#include <utility>

#include "analysis/support/budget.h"
#include "server/driver/exploration_input.h"

namespace heddle {

class HarnessTimes {
 public:
  explicit HarnessTimes(std::stop_token stop) : stop_(std::move(stop)) {}

  /// From now on. A program that is no generated harness has all of its time.
  Budget of(const ExplorationInput& input);
  /// The exploration with that budget has ended.
  void note(const ExplorationInput& input, const Budget& budget);

 private:
  const std::stop_token stop_;
  std::mutex mutex_;
  std::map<const SourceFile*, size_t> outOfTime_;
};

}  // namespace heddle
