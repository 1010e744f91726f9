// What can be called without code: for pages and tests that list it.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// The names of all models, family by family.
std::vector<std::string> modelNames();

}  // namespace heddle
