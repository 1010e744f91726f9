// StateProof: when an exploration asks the solver again and again, a search of all joint states is tried
// beside it (state_search.h), each time with more states. What it proves ends the exploration.
//
// When to try is counted in questions, so that a report stays a function of text, options and step budget;
// where time alone is limited, a question that takes long is reason enough.
//
// Threading: that of the exploration.
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
  /// `expected`: states that there are, as far as is known (0: not known); then all attempts are due.
  StateProof(const Program& program, FunctionId entry, bool everyAccessIsEvent, uint64_t expected = 0);

  /// `takesLong`: a question has taken so long that all attempts are due.
  /// Runs every failure that it finds in `runner`. True when all states were visited, and all failures are
  /// among the runner's witnesses; then what was assumed is in its result.
  bool attempt(Runner& runner, bool takesLong, const Budget& budget);

  /// After a proof.
  const StateSearchResult& states() const { return searched_; }

 private:
  /// The next attempt.
  void search(Runner& runner, const Budget& budget);
  bool showFailures(Runner& runner, const Budget& budget) const;
  /// The last attempt may have failed because waits may end without a signal any number of times: the next
  /// one begins anew, with a limit. False where there is nothing to gain.
  bool limitWakeups(const Tuning& tuning);

  const Program& program_;
  const FunctionId entry_;
  const bool everyAccessIsEvent_;
  const uint64_t expected_;
  size_t attempts_ = 0;
  std::unique_ptr<StateSearch> search_;  // an attempt goes on where the last one ended
  bool isClosing_ = false;               // the last attempt had little left: the next one is due at once
  bool isRefused_ = false;               // not applicable to the program
  bool limitsWakeups_ = false;           // MachineOptions::limitsWakeups
  StateSearchResult searched_;
};

}  // namespace heddle
