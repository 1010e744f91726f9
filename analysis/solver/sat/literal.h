// Variables and literals as the search uses them: 2v for "v is true", 2v + 1 for "v is false".
//
// Variable v is the outside literal v; variable 0 does not exist and variable 1 is true. Literal 0 means
// "none".
#pragma once

#include <cstdint>

#include "analysis/solver/solver.h"

namespace heddle::sat {

using Var = uint32_t;
using Literal = uint32_t;

inline constexpr Literal kNoLiteral = 0;
inline constexpr Literal kTrueLiteral = 2;
inline constexpr Literal kFalseLiteral = 3;

constexpr Literal literalOf(Lit l) {
  return l > 0 ? 2 * static_cast<uint32_t>(l) : 2 * static_cast<uint32_t>(-l) + 1;
}
constexpr Lit externalOf(Literal p) {
  const Lit v = static_cast<Lit>(p >> 1);
  return (p & 1) ? -v : v;
}
constexpr Literal negate(Literal p) {
  return p ^ 1;
}
constexpr Var varOf(Literal p) {
  return p >> 1;
}

}  // namespace heddle::sat
