// CheckedText: compiles the text of a build's check, such as that of AC_COMPILE_IFELSE, by Clang in this
// process. Nothing is run or kept.
//
// Threading: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

/// See BuildChecks::Compiles. A text that calls an undeclared function does not compile.
std::optional<uint64_t> compileCheck(const std::string& text);

}  // namespace heddle
