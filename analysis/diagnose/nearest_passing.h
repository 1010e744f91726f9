// The nearest passing execution: the same inputs, as few orderings of dependent events changed as possible.
//
// Threading: one thread.
#pragma once

#include <optional>
#include <vector>

#include "analysis/diagnose/cores.h"

namespace heddle {

struct NearestPassing {
  RecordedExecution execution;    // was run, and the failure did not happen
  std::vector<Ordering> changed;  // orderings of the failing execution that it turns round
  bool fewest = false;            // proved: no passing execution changes fewer
};

struct NearestOptions {
  size_t maxOrderings = 600;  // of the failing execution; more are not tried
  uint32_t maxChanged = 12;   // beyond, some passing execution is taken instead of the nearest
};

/// nullopt: there is none, or the budget ended. Uses the runner: what the run teaches may end the use of the
/// formula.
std::optional<NearestPassing> findNearestPassing(Runner& runner, const SourceEvents& events,
                                                 ExecutionFormula& formula, const Core& core,
                                                 const NearestOptions& options, const Budget& budget);

}  // namespace heddle
