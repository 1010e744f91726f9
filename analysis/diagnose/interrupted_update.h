// InterruptedUpdate: an atomic object that a thread looks at in one operation and changes in another, or the
// other way round, while another thread changes it between the two. Each operation is whole, both together
// are not.
//
// Threading: pure functions of the forest.
#pragma once

#include <vector>

#include "analysis/diagnose/recorded_execution.h"
#include "analysis/diagnose/source_access.h"

namespace heddle {

/// Plans by which the two operations of one function become one (a compare-exchange loop, or the value that
/// the update gives back), for each such pair of the failing execution, the last interruption first.
std::vector<RepairPlan> interruptedUpdates(const SourceView& view, const RecordedExecution& execution);

}  // namespace heddle
