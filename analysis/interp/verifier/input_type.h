// The types of inputs that functions of verifiers name: "__VERIFIER_nondet_int", "heddle_input_u8", …
//
// Threading: pure function.
#pragma once

#include <optional>
#include <string_view>

namespace heddle {

struct NamedInputType {
  unsigned width;  // bits; 0: of the result, as declared
  bool isSigned;
};

/// The type that a function names. Nothing if it is not one of these functions.
std::optional<NamedInputType> inputTypeOf(std::string_view function);

}  // namespace heddle
