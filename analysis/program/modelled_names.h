// The functions whose meaning is fixed even where a program defines them itself: verifier primitives, which
// programs define only for stand-alone builds.
#pragma once

#include <string_view>

namespace heddle {

/// Where an index is beyond an array inside of an object. It gets the array's address, or 0 where that is not
/// known, the index and the number of elements.
inline constexpr std::string_view kBeyondArrayCall = "heddle.beyond_array";

constexpr bool isAlwaysModelled(std::string_view name) {
  return name == "reach_error" || name == "__VERIFIER_error" || name == "__VERIFIER_assert" ||
         name == "__VERIFIER_assume" || name == "assume_abort_if_not" || name == "__VERIFIER_atomic_begin" ||
         name == "__VERIFIER_atomic_end";
}

/// Functions that fail as soon as they are called.
constexpr bool isFailure(std::string_view name) {
  return name == "__assert_fail" || name == "__assert" || name == "__assert_rtn" || name == "reach_error" ||
         name == "__VERIFIER_error" || name == "_assert" || name == "__assert_c99" ||
         name == "__assert_perror_fail" || name == "__ESBMC_unreachable" || name == "llvm.ubsantrap" ||
         name == kBeyondArrayCall;
}

}  // namespace heddle
