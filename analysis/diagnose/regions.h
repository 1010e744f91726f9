// Regions: accesses of a thread that belong together, because a value is read and something that depends on
// it is written.
//
// Threading: pure functions of the forest.
#pragma once

#include <set>
#include <vector>

#include "analysis/diagnose/guarding_lock.h"

namespace heddle {

/// The accesses to `object` that may meet other threads, in all known paths, as regions: from a read to a
/// write of the same object whose value, or whose happening, depends on what was read; every other access
/// is a region by itself. Regions with the same places are listed once.
std::vector<Region> regionsOf(Runner& runner, const Precedence& precedence, ObjectId object);

/// Removes each region whose places are all contained in another region of the same functions.
void dropContained(const Forest& forest, std::vector<Region>& regions);

/// Every region is one read and one write of one cell, in one line: `x++`.
bool isReadModifyWrite(const Forest& forest, const Region& region, const Program& program);

}  // namespace heddle
