// ExtendedSection: accesses that come after a critical section of their own function and belong into it. What
// was looked up, or tested, with a mutex held is used when the mutex has been given back.
//
// Threading: pure functions of the forest.
#pragma once

#include <vector>

#include "analysis/diagnose/source_access.h"

namespace heddle {

/// Plans by which the last critical section before one of `uses`, in the function that makes it, goes on up
/// to it: for each use alone, the first ones first, then for all together.
std::vector<RepairPlan> extendedSections(const SourceView& view, const std::vector<NodeId>& uses);

}  // namespace heddle
