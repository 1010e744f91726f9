// InterruptedUpdate: an atomic object that a thread reads in one operation and changes in another, or the
// other way round, while another thread changes it in between. Each operation is atomic, but both together
// are not.
//
// Threading: pure functions of the forest.
#pragma once

#include <vector>

#include "analysis/diagnose/recorded_execution.h"
#include "analysis/diagnose/source_access.h"

namespace heddle {

/// Plans that make the two operations of one function into one (a compare-exchange loop, or use of the
/// value that the update returns). There is one for each such pair of the failing execution, the last
/// interruption first.
std::vector<RepairPlan> interruptedUpdates(const SourceView& view, const RecordedExecution& execution);

}  // namespace heddle
