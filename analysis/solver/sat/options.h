// What can be switched in the search, for measurements and tests. The defaults are what measured best
// (docs/solver.md).
#pragma once

#include <cstdint>

namespace heddle::sat {

enum class OrderPropagation : uint8_t { Never, Always, Adaptive };

struct Options {
  /// Derive the atoms that an edge implies, instead of waiting for the cycle that their negation would close.
  OrderPropagation orderPropagation = OrderPropagation::Adaptive;
  uint32_t orderPropagationLimit = 2000;  // graph steps spent on one edge
  /// Decide an order atom as the current topological order has it; else as it was last.
  bool orderPhaseFromPlaces = true;
  /// Do not decide what is guarded by something that is not true.
  bool relevance = true;
  /// Terms are bit-blasted when they are mentioned until the solver holds this much, and then only inside
  /// check(), where the budget can stop it.
  uint64_t eagerBytes = 64u << 20;
};

}  // namespace heddle::sat
