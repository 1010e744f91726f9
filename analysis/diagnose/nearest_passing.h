// The nearest passing execution: a passing execution with the same inputs that changes as few orderings of
// dependent events as possible.
//
// Threading: one thread.
#pragma once

#include <optional>
#include <vector>

#include "analysis/diagnose/cores.h"

namespace heddle {

struct NearestPassing {
  RecordedExecution execution;    // it was run, and the failure did not happen
  std::vector<Ordering> changed;  // orderings of the failing execution that it reverses
  bool fewest = false;            // proved: no passing execution changes fewer
};

struct NearestOptions {
  size_t maxOrderings = 600;  // with more orderings in the failing execution, nothing is tried
  uint32_t maxChanged = 12;   // with more changes, any passing execution is taken instead of the nearest
};

/// nullopt: there is none, or the budget ended. It executes a run, which may extend the forest so that the
/// formula can no longer be used.
std::optional<NearestPassing> findNearestPassing(Runner& runner, const SourceEvents& events,
                                                 ExecutionFormula& formula, const Core& core,
                                                 const NearestOptions& options, const Budget& budget);

}  // namespace heddle
