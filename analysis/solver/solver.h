// Solver: the one narrow interface between exploration and decision procedures.
//
// A problem consists of clauses over literals; a literal may stand for a Boolean choice, for "event a is
// before event b" in a strict partial order that can be extended to a total one, or for the truth of a
// bit-vector term over symbols. Clauses are only ever added; questions are asked under assumptions, and an
// unsatisfiable answer comes with the assumptions it needed (core).
//
// Literals are non-zero ints, -l is the negation of l. Literal 1 is true.
//
// Relevance: `guard(l, g)` says that l only matters where g is true; a backend may leave l undecided
// otherwise (its value in a model is then any). Models are complete for what is relevant.
//
// Threading: one solver belongs to one thread. check() observes the budget's stop token and deadline and
// returns within 50 ms of either.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/term.h"
#include "analysis/support/budget.h"

namespace heddle {

using Lit = int32_t;
using OrderNode = uint32_t;  // an event's place in the order

enum class Answer : uint8_t { Sat, Unsat, Timeout, Interrupted, OutOfMemory, Unknown };
const char* toString(Answer answer);

struct SolverStats {
  uint64_t queries = 0, sat = 0, unsat = 0, unknown = 0;
  uint64_t conflicts = 0, decisions = 0, propagations = 0, orderConflicts = 0;
  uint64_t variables = 0, clauses = 0, orderAtoms = 0;
  double seconds = 0;
  std::string toString() const;
  SolverStats& operator+=(const SolverStats& more);
};

class Solver {
 public:
  virtual ~Solver() = default;

  static constexpr Lit kTrue = 1;

  virtual Lit newLit() = 0;
  virtual void addClause(std::span<const Lit> clause) = 0;
  void addClause(std::initializer_list<Lit> clause) { addClause(std::span(clause.begin(), clause.size())); }

  /// A new event of the order. `on`: the literal that says whether the event happens (kTrue if always).
  virtual OrderNode newOrderNode(Lit on) = 0;
  /// a is before b, always.
  virtual void addEdge(OrderNode a, OrderNode b) = 0;
  /// The literal for "a before b"; before(b, a) is its negation. a != b. Two-sided: true or false, every
  /// assigned literal is an edge of the (acyclic) order.
  virtual Lit before(OrderNode a, OrderNode b) = 0;

  /// The literal that is true iff the term of width 1 is.
  virtual Lit condition(Term t) = 0;
  /// l ⇒ a == b; both of the same width.
  virtual void addEqualityIf(Lit l, Term a, Term b) = 0;

  /// l needs no value where g is false.
  virtual void guard(Lit /*l*/, Lit /*g*/) {}
  /// The same for the value of a symbol (a read's value matters only if the read happens). Call before its
  /// first use.
  virtual void guardSymbol(Term /*symbol*/, Lit /*g*/) {}
  /// Try this polarity of l first.
  virtual void prefer(Lit /*l*/) {}

  /// Try this order of events first. A sequence of distinct nodes; what it does not name stays as it was.
  virtual void suggestOrder(std::span<const OrderNode> /*sequence*/) {}

  virtual Answer check(std::span<const Lit> assumptions, const Budget& budget) = 0;

  /// From now on a check may answer Unknown after `work` units of work (some millions take a moment); 0:
  /// never. This is a count and not a clock, so that answers stay the same from run to run. A backend that
  /// cannot count ignores it.
  virtual void limitWork(uint64_t /*work*/) {}

  // After Sat:
  virtual bool modelValue(Lit l) const = 0;
  /// The value of a symbol (or any term that was part of the problem); 0 if it never was.
  virtual uint64_t modelTerm(Term t) const = 0;
  /// Sorting order nodes by this number gives a total order that satisfies the model. Distinct for distinct
  /// nodes.
  virtual uint64_t modelPosition(OrderNode n) const = 0;

  // After Unsat: the assumptions that were needed, a subset of those given. Not minimal.
  virtual const std::vector<Lit>& core() const = 0;

  virtual const SolverStats& stats() const = 0;
};

/// Minimal subset of `core` (a set of assumptions that is unsatisfiable): dropping any one makes it
/// satisfiable. Stops early, returning what it has (still unsatisfiable), when the budget ends, and keeps
/// what a check of limited work cannot decide; `minimal` tells whether neither happened.
std::vector<Lit> minimizeCore(Solver& solver, std::vector<Lit> core, const Budget& budget,
                              bool* minimal = nullptr);

enum class SolverKind : uint8_t { Sat, Z3 };
/// `terms` must outlive the solver.
std::unique_ptr<Solver> makeSolver(SolverKind kind, const TermTable& terms);

}  // namespace heddle
