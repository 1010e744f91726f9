// Names in generated harnesses by which other code knows what they are.
//
// Threading: constants.
#pragma once

#include <string_view>

namespace heddle {

/// Functions that make the objects a harness takes for granted have this prefix, followed by a number.
inline constexpr std::string_view kObjectMakerPrefix = "heddle_any_";

}  // namespace heddle
