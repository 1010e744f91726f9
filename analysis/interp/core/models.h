// The functions that can be called without code, for pages and tests that list them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The names of all models, family by family.
std::vector<std::string> modelNames();

/// Whether a function without a body has a meaning here.
bool isModelled(std::string_view name);

/// Whether the run may go on past a function that is neither defined nor modelled: it neither orders threads
/// nor steers the analysis.
bool canBePassedOver(std::string_view name);

}  // namespace heddle
