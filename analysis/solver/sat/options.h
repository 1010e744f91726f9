// What can be switched in the search, for measurements and tests. The defaults are what measured best
// (docs/solver.md).
#pragma once

#include <cstdint>
#include <memory>

namespace heddle::sat {

class ProofSink;

enum class OrderPropagation : uint8_t { Never, Always, Adaptive };

struct Options {
  /// Derive the atoms that an edge implies, instead of waiting for the cycle that their negation would close.
  OrderPropagation orderPropagation = OrderPropagation::Always;
  uint32_t orderPropagationLimit = 2000;  // graph steps spent on one edge
  double orderPropagationShare = 0.2;     // Adaptive: of all propagation work
  /// Decide an order atom as the current topological order has it; else as it was last.
  bool orderPhaseFromPlaces = true;
  /// Do not decide a variable while one of its guards is not true.
  bool relevance = true;
  double decay = 0.95;           // of variable activities, per conflict
  uint64_t pollTicks = 100'000;  // between two looks at the budget; well below a millisecond of propagation
  double restartMargin = 1.1;    // how many times worse recent clauses must be than all
  uint32_t restartMinimum = 10;  // conflicts between two restarts
  /// Terms are bit-blasted when they are mentioned until the solver holds this much, and then only inside
  /// check(), where the budget can stop it.
  uint64_t eagerBytes = 64u << 20;
  /// Gets the derivation of each answer; null: nobody gets it (a debug build then checks the beginning of
  /// each derivation itself).
  std::shared_ptr<ProofSink> proof;
};

}  // namespace heddle::sat
