// The beginnings of failure messages that programs, too, tell apart: the competition's rules know more kinds
// of failures than FailureKind.
//
// Threading: constants.
#pragma once

#include <string_view>

namespace heddle {

inline constexpr std::string_view kErrorLocationText = "error location reached";
inline constexpr std::string_view kCheckText = "assertion failed";
inline constexpr std::string_view kLeakText = "memory leak: ";
inline constexpr std::string_view kDoubleFreeText = "double free of ";
inline constexpr std::string_view kFreeText = "free of ";
inline constexpr std::string_view kUnmapText = "munmap of ";
inline constexpr std::string_view kInnerIndexText = "out-of-bounds index";

/// What a finding assumes that needs an allocation to fail.
inline constexpr const char* kFailedAllocation = "an allocation fails";
inline constexpr const char* kFailedCreation = "the creation of a thread fails";

/// The input that decides it.
inline constexpr const char* kCreationFails = "creation of a thread fails";

}  // namespace heddle
