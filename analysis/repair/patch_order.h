// PatchOrder: which patches come first, and which are put aside for another one.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/repair/repair.h"

namespace heddle {

/// In the title of a patch that leaves the bug to who calls the code in another way.
inline constexpr std::string_view kOnlyThisDriver = "(only this driver: ";

/// Its title says so; everything that shows a patch shows the title.
bool isForThisDriver(const Patch& patch);

bool cures(const Patch& patch, const std::string& finding);

/// Right for every caller first, then verified in full, then what cures more, then fewer lines changed, then
/// what leaves the threads more freedom, then as they were.
void rank(std::vector<Patch>& patches);

/// Why a reviewer would put the patch aside for `other`, which is right for every caller, verified in full,
/// cures as much and leaves the threads as free. Empty: there is no reason.
std::string whyWorse(const Patch& patch, const Patch& other);

}  // namespace heddle
