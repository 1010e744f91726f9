// Environment: what a program under analysis may meet beyond its inputs. Plain data; all off is the ordinary
// case. In it everything can happen that C and POSIX allow, except what a field named "may" switches on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// How friendly the system is (Environment::callsSucceed, mallocMayFail), in a word.
enum class Friendliness : uint8_t {
  Ordinary,  // calls of the system succeed, and allocations do
  Usual,     // calls of the system may fail, allocations do not
  Hostile,   // both may fail
};

/// What a call of a function that is neither defined nor modelled is assumed to do, beside returning any
/// value.
enum class UnknownEffect : uint8_t {
  Nothing,    // changes nothing that the program can see
  Arguments,  // changes what its arguments point to
  Reachable,  // changes what can be reached from its arguments and from global variables
  Refused,    // not known: the run ends there
};

/// What the signals do that a program installs a handler for.
enum class Signals : uint8_t {
  None,     // it is assumed that none arrives
  Threads,  // each arrives at most once: its handler runs as one more thread
  Refused,  // not known: the run ends where a handler is installed
};

struct Environment {
  bool mallocMayFail = false;  // each allocation may return null: an input decides
  bool callsSucceed = false;   // it is assumed that opens and other calls of the system succeed
  /// How many threads each thread can create; a creation beyond this number fails if the program looks at its
  /// result. None: each succeeds.
  std::optional<uint32_t> creations = {};
  bool checkLeaks = false;         // heap memory still allocated at the end of the process is a failure
  bool undefinedIsInput = false;   // what was never written has any value, instead of 0 with an assumption
  bool keepsLocals = false;        // every local variable lies in memory, where one never written is seen
  bool noSpuriousWakeups = false;  // it is assumed that no wait on a condition variable ends without a signal
  bool noWeakFailures = false;     // it is assumed that no weak compare-exchange fails without reason
  bool volatileIsAtomic = false;   // accesses to volatile objects do not race with each other
  Signals signals = Signals::None;
  /// What main is called with beside the program's name; none: any few short texts.
  std::optional<std::vector<std::string>> arguments = {};
  /// A thread that began with this function fails at the function's end. This is a seeded bug, which shows
  /// that the end is reached. Empty: none.
  std::string failAtEndOf = {};
  /// Of a generated harness: what it makes up is as large as it is used, and assertions, which say what
  /// callers keep to, hold. An execution where that is not so ends there, and an assumption names it.
  bool callersFit = false;
  UnknownEffect unknown = UnknownEffect::Arguments;
  std::vector<std::pair<std::string, UnknownEffect>> unknownByName = {};  // of single functions
  /// A folder with models of library functions in C, the project's own: those that a program calls and does
  /// not define are linked to it. Empty: none.
  std::string modelFolder = {};
  bool operator==(const Environment&) const = default;
};

inline void set(Environment& environment, Friendliness friendliness) {
  environment.callsSucceed = friendliness == Friendliness::Ordinary;
  environment.mallocMayFail = friendliness == Friendliness::Hostile;
}

inline std::optional<Friendliness> parseFriendliness(const std::string& name) {
  if (name == "ordinary") return Friendliness::Ordinary;
  if (name == "usual") return Friendliness::Usual;
  if (name == "hostile") return Friendliness::Hostile;
  return std::nullopt;
}

inline const char* toString(Signals signals) {
  if (signals == Signals::Threads) return "threads";
  return signals == Signals::None ? "none" : "refused";
}

inline std::optional<Signals> parseSignals(const std::string& name) {
  for (const Signals signals : {Signals::None, Signals::Threads, Signals::Refused})
    if (name == toString(signals)) return signals;
  return std::nullopt;
}

inline UnknownEffect unknownEffectOf(const Environment& environment, const std::string& name) {
  for (const auto& [function, effect] : environment.unknownByName)
    if (function == name) return effect;
  return environment.unknown;
}

}  // namespace heddle
