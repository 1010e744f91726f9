// ScanLedger: what explorations have told of each function of a project, and what keeps the rest from being
// told.
//
// Threading: one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/report.h"
#include "server/source/generated_harness.h"

namespace heddle {

/// What is known of a function; a later one outweighs an earlier one.
enum class Known : uint8_t {
  Unknown,   // no execution came to it
  Explored,  // some did, and not all was decided
  Proven,  // every exploration that came to it ended, within named bounds, and found nothing in it; together
           // they took both sides of each of its conditions, and no guess from the text speaks against it
  Possible,  // something may be wrong in it, if what was assumed can be
  Violated,  // something is wrong in it
};

/// "unknown", "explored", …
const char* toString(Known known);

struct ScannedFunction {
  std::string name;
  SourcePlace place;
  bool isPublic = false;
  Known known = Known::Unknown;
  std::string why;  // Unknown: what is missing; Explored: what none reached; empty: nothing to say
};

/// What became of data that a look at the text suspects: in how many explorations threads may race for it,
/// and what they told.
struct ScannedSuspect {
  enum class State : uint8_t { Open, Refuted, Possible, Confirmed };
  std::string file;
  std::string data;
  std::set<uint32_t> lines;
  State state =
      State::Open;  // Refuted: all its explorations ended, within named bounds, without a race on it
  size_t harnesses = 0, decided = 0;
  std::string why;           // the habit that the lines break; empty: two harnesses' calls meet there
  uint32_t line = 0;         // to look at first
  bool isOfLocks = false;    // the data is a lock, and how it is used looks wrong
  bool isOfFailure = false;  // it holds only if a thread or memory was not to be had
};

/// "open", "refuted", …
const char* toString(ScannedSuspect::State state);

/// Something that keeps functions from being explored.
struct Obstacle {
  std::string text;      // "header 'config.h' is missing"
  size_t functions = 0;  // that it keeps from being explored; 0: not known
  std::vector<std::string> files;
};

class ScanLedger {
 public:
  void addFile(const std::string& file, const HarnessPlan& plan);
  /// What is suspected of one place of the file.
  void addGuess(const std::string& file, const LockGuess& guess);
  /// What a look at all files sees broken; `named`: how the user gave a file.
  void addHabits(const std::vector<LockHabit>& habits, const std::map<std::string, std::string>& named);
  /// A file that does not compile.
  void addBroken(const std::string& file, const std::string& problem,
                 const std::vector<MissingHeader>& missing);
  /// `file` needs more files than are linked.
  void addLeftOut(const std::string& file, size_t linked);
  /// `isAlone`: its harness makes one call.
  void addReport(const Report& report, bool isAlone);
  /// Notes what the report of a harness tells about the suspects of its file.
  void addSuspects(const std::string& file, const std::vector<Suspect>& suspects, const Report& report);

  /// By file and place.
  std::vector<ScannedFunction> functions() const;
  size_t count(Known known) const;
  /// Confirmed ones first, refuted ones last.
  std::vector<ScannedSuspect> suspects() const;
  /// Those that keep most functions from being explored come first.
  std::vector<Obstacle> obstacles() const;

 private:
  void addHabit(const std::string& file, uint32_t line, const LockHabit& habit);
  void noteFinding(const Finding& finding, Known told);
  void addOrders(const std::string& file, const SurveyFunction& function);

  using Key = std::pair<std::string, std::string>;                       // file and name
  using Missed = std::set<std::tuple<uint32_t, uint32_t, std::string>>;  // line, column, what
  ScannedFunction described(const Key& key, const ScannedFunction& function) const;
  /// `isProof`: all was explored, and not by a call alone.
  void noteReached(const Key& key, const Reach& reach, bool isProof);
  /// What no exploration reached in the function, or, for `isProof`, none that was told to be all did in it
  /// or in one that it calls; empty: nothing, or none came to it.
  std::string missedIn(const Key& key, bool isProof) const;
  /// The function of the file that the line lies in; null: it lies in front of all.
  const ScannedFunction* functionAt(const std::string& file, uint32_t line) const;
  /// What a look at the text suspects of a place in the function, and nothing has refuted; empty: nothing.
  std::string suspectedIn(const Key& key) const;
  /// Executions took both sides of each condition in the functions of these lines.
  bool isReachedAt(const std::string& file, const std::set<uint32_t>& lines, const Report& report) const;

  std::map<Key, ScannedFunction> functions_;              // Proven ones may have something in `missed_`
  std::map<Key, Missed> missed_;                          // of reached functions: what no exploration reached
  std::map<Key, Missed> unproven_;                        // the same of those that were told to be all
  std::set<std::string> unknown_;                         // functions that are neither defined nor modelled
  std::map<Key, std::set<std::string>> callees_;          // by name
  std::map<std::string, std::vector<Key>> ofOtherFiles_;  // functions that are not static, by name
  std::map<Key, ScannedSuspect> suspects_;                // by file and data
  std::map<std::pair<std::string, std::string>, SourcePlace> orders_;  // by locks: where the second is taken
  std::map<std::string, std::set<std::string>> blocked_;               // by text: functions, "file: name"
  std::map<std::string, std::set<std::string>> broken_;                // by text: files
};

}  // namespace heddle
