// RecordedExecution: one complete execution as nodes of the forest, in the order in which they happened.
//
// Threading: as the runner.
#pragma once

#include <optional>
#include <vector>

#include "analysis/explore/run/exploration.h"

namespace heddle {

struct RecordedExecution {
  std::vector<NodeId> order;      // event nodes
  std::vector<NodeId> blocked;    // events that threads waited for when no thread could go on
  std::vector<TraceEntry> trace;  // one entry per node of `order`
  std::vector<UsedInput> inputs;
  std::vector<Failure> failures;
  Schedule schedule;  // the schedule of the whole execution
};

/// The runner's last run; nullopt if it did not run to quiescence or is not in the forest.
std::optional<RecordedExecution> lastExecution(Runner& runner);

/// Follows `schedule` (which must have been recorded in the same program) and then runs on to quiescence.
/// nullopt if it cannot be followed, or if the run made the exploration start again.
std::optional<RecordedExecution> followSchedule(Runner& runner, const Schedule& schedule,
                                                const Budget& budget);

/// The same for a planned order of forest events with the values of `inputs`.
std::optional<RecordedExecution> followPlan(Runner& runner, std::vector<NodeId> plan, ModelInputs& inputs,
                                            const Budget& budget);

}  // namespace heddle
