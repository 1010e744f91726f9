// A change of one file as a unified diff, as `diff -u` and `git apply` know it.
//
// Threading: pure function.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Empty when nothing changed.
std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after);

}  // namespace heddle
