// Names in generated harnesses by which other code knows what they are.
//
// Threading: constants.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// Functions that make the objects a harness takes for granted have this prefix, followed by a number.
inline constexpr std::string_view kObjectMakerPrefix = "heddle_any_";

/// Sets bytes when they are first read (analysis/interp/verifier/verifier.cpp).
inline constexpr std::string_view kLazilyDeclared =
    "extern void heddle_lazily(void *place, unsigned long size, void (*fill)(void *, int), int depth);\n";

/// Behind a call: nothing that the object leads to points to freed memory
/// (analysis/interp/verifier/verifier.cpp).
inline constexpr std::string_view kLeftDeclared = "extern void heddle_left(const void *object);\n";

/// Variables of a harness have this prefix.
inline constexpr std::string_view kHarnessPrefix = "heddle_";
/// The function of a generated harness that a program begins with.
inline constexpr const char* kHarnessEntry = "heddle_harness";

/// Of these it is known where they end: a size is passed with them, or they are texts.
inline constexpr std::string_view kSizedPrefix = "heddle_bytes";
inline constexpr std::string_view kTextPrefix = "heddle_text";
/// A text that the function may write behind.
inline constexpr std::string_view kRoomPrefix = "heddle_room";

/// Bytes. Callers pass pointers into something, and functions look a few elements back; what lies further in
/// front of what a harness passes, no caller is taken to have there.
inline constexpr uint64_t kFarBack = 64;

}  // namespace heddle
