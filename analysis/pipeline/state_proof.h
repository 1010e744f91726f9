// StateProof: while an exploration asks the solver many questions, a search of all joint states
// (state_search.h) is tried now and then, each time with more states. If it proves the program, the
// exploration ends.
//
// The number of questions decides when to try, so that a report stays a function of text, options and step
// budget. If only time is limited, a question that takes long is reason enough.
//
// Threading: the exploration's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "analysis/explore/run/exploration.h"
#include "analysis/explore/states/state_search.h"

namespace heddle {

class StateProof {
 public:
  /// `expected`: the number of states, as far as it is known; then all attempts are due at once. 0: not
  /// known.
  StateProof(const Program& program, FunctionId entry, bool everyAccessIsEvent, uint64_t expected = 0);

  /// `takesLong`: a question has taken so long that all attempts are due at once.
  /// Executes in `runner` the schedule of every failure that it finds. True if all states were visited and
  /// all failures are among the runner's witnesses; then the search's bounds and assumptions are in the
  /// runner's result.
  bool attempt(Runner& runner, bool takesLong, const Budget& budget);

  /// The result of the search, valid after a proof.
  const StateSearchResult& states() const { return searched_; }

 private:
  /// The next attempt.
  void search(Runner& runner, const Budget& budget);
  bool showFailures(Runner& runner, const Budget& budget) const;
  /// The last attempt may have failed because waits can end without a signal any number of times. Then the
  /// next attempt begins again with a limit on such wake-ups. False if that would not help.
  bool limitWakeups(const Tuning& tuning);

  const Program& program_;
  const FunctionId entry_;
  const bool everyAccessIsEvent_;
  const uint64_t expected_;
  size_t attempts_ = 0;
  std::unique_ptr<StateSearch> search_;  // kept, because an attempt goes on where the last one ended
  bool isClosing_ = false;               // the last attempt had little left, so the next one is due at once
  bool isRefused_ = false;               // the search does not support the program
  bool limitsWakeups_ = false;           // MachineOptions::limitsWakeups
  StateSearchResult searched_;
};

}  // namespace heddle
