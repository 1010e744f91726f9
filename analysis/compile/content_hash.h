// SHA-256 (FIPS 180-4) of a text.
//
// Threading: pure function.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// 64 hexadecimal digits, lower case.
std::string sha256Of(std::string_view text);

}  // namespace heddle
