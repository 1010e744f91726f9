// PatchOrder: the order in which patches are offered, and which patches are not offered because another one
// is better.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/repair/repair.h"

namespace heddle {

/// Part of the title of a patch that keeps the bug for callers that use the code in another way.
inline constexpr std::string_view kOnlyThisDriver = "(only this driver: ";

/// True if the title has kOnlyThisDriver. It is in the title because everything that shows a patch shows
/// its title.
bool isForThisDriver(const Patch& patch);

bool cures(const Patch& patch, const std::string& finding);

/// Sorts patches by these criteria, the most important first: right for every caller, verified in full, no
/// last resort (Candidate::isLastResort), cures more findings, fewer changed lines, more freedom for the
/// threads. Patches that are equal in all of them keep their order.
void rank(std::vector<Patch>& patches);

/// Why a reviewer would prefer `other`, which is right for every caller, verified in full and no last
/// resort, cures as much and leaves the threads as much freedom. Empty: there is no reason.
std::string whyWorse(const Patch& patch, const Patch& other);

}  // namespace heddle
