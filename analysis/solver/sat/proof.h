// Where a search writes down how it comes to its answers, clause by clause, so that a simpler program can
// check it.
#pragma once

#include <span>

#include "analysis/solver/sat/literal.h"

namespace heddle::sat {

/// Receives a search's problem and its derivation, in order. Threading: as the search that it belongs to;
/// copies of the search write none.
class ProofSink {
 public:
  virtual ~ProofSink() = default;

  // The problem.
  virtual void onClause(std::span<const Literal> clause) = 0;
  /// The positive literal of v says that node a is before node b, the negative one that b is before a.
  virtual void onAtom(Var v, uint32_t a, uint32_t b) = 0;
  virtual void onEdge(uint32_t a, uint32_t b) = 0;

  // What follows from it.
  /// Its literals cannot all be false: they would close a cycle, perhaps with edges that hold for ever.
  virtual void onOrderLemma(std::span<const Literal> clause) = 0;
  /// Follows by unit propagation from what came before.
  virtual void onLearnt(std::span<const Literal> clause) = 0;
  /// An answer: these assumptions cannot all be true.
  virtual void onUnsat(std::span<const Literal> core) = 0;
};

}  // namespace heddle::sat
