// ExtendedSection: accesses that come after a critical section of their own function but belong into it.
// The function looks something up or tests it while it holds a mutex, and uses the result after it has
// released the mutex.
//
// Threading: pure functions of the forest.
#pragma once

#include <vector>

#include "analysis/diagnose/source_access.h"

namespace heddle {

/// Plans that extend the last critical section before a use up to the use, within the function that makes
/// the use. There is one plan for each use alone, in the order of `uses` (at most three different ones),
/// then one for all uses that extend sections of the same mutex as the first.
std::vector<RepairPlan> extendedSections(const SourceView& view, const std::vector<NodeId>& uses);

}  // namespace heddle
