// Names in generated harnesses that others know by.
//
// Threading: constants.
#pragma once

#include <string_view>

namespace heddle {

/// Of functions that make the objects a harness takes for granted, before a number.
inline constexpr std::string_view kObjectMakerPrefix = "heddle_any_";

}  // namespace heddle
