// ExecutionFormula: Ψ restricted to complete executions, with its own solver.
//
// The encoder's Ψ lets every thread stop anywhere. But "under these orderings the property must fail" is
// about executions that go on until no thread can. So in this formula a thread stops only at its end, at a
// lock that another thread has and never releases, or at a join of a thread that never ends. Sides of
// branches that no run took are excluded. After a complete exploration they are unreachable; otherwise what
// is proved holds only for the known executions.
//
// Threading: one thread; the forest must not grow while the formula is in use.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "analysis/diagnose/source_events.h"
#include "analysis/explore/formula/encoder.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

/// What makes an execution a failing one: some node of each group happens or, with `stuck`, is waited for
/// in vain.
struct FailureTarget {
  struct Group {
    std::vector<NodeId> nodes;
    bool stuck = false;
  };
  std::vector<Group> groups;
};

class ExecutionFormula {
 public:
  /// All references must outlive it.
  ExecutionFormula(const Forest& forest, const SourceEvents& events, const std::vector<Term>& initialValues,
                   TermTable& terms, SolverKind kind);

  /// False if the budget ended before the formula was complete; then the formula must not be used.
  bool build(const FailureTarget& target, const Budget& budget);

  Lit fails() const { return fails_; }
  Lit passes() const { return passes_; }
  /// Implies that no thread fails in any way, and that none waits for ever.
  Lit noFailure() const { return noFailure_; }
  /// Implies the ordering.
  Lit ordering(const Ordering& ordering);
  /// Implies that the ordering does not hold.
  Lit violated(const Ordering& ordering);
  /// Implies that the inputs have the values in `used`, as far as they occur.
  Lit inputs(const Names& names, const std::vector<UsedInput>& used);
  /// For k = 0 … most: a literal that implies that all but k of the literals are true.
  std::vector<Lit> countDropped(const std::vector<Lit>& literals, uint32_t most);
  /// From now on, executions that satisfy `fails()` violate one of the orderings.
  void block(const std::vector<Ordering>& core);

  /// Asks for a model of Ψ ∧ complete ∧ `literals`.
  Answer check(std::span<const Lit> literals, const Budget& budget);
  /// After Unsat: the literals of the question that were needed.
  const std::vector<Lit>& core() const { return solver_->core(); }
  /// After Sat: the events that happen, in order, and the values of the inputs.
  std::vector<NodeId> plan(ModelInputs& inputs) const;

  const Precedence& precedence() const { return encoder_.precedence(); }
  const SolverStats& stats() const { return solver_->stats(); }

 private:
  /// Implies that `a` happens, and before `b` if that happens.
  Lit happensBefore(NodeId a, NodeId b);
  bool completeNodes(const Budget& budget);
  /// A thread that goes round in a loop that only waits either does so for ever or goes on.
  void completeRounds(const StuckLiterals& stuck);
  void completeFork(NodeId id);
  void completeChild(NodeId id);
  Lit stuckAt(NodeId id);
  void define(const FailureTarget& target);

  const Forest& forest_;
  const SourceEvents& events_;
  std::unique_ptr<Solver> solver_;
  Encoder encoder_;
  TermTable& terms_;
  std::map<Ordering, Lit> orderings_, violations_;
  std::map<NodeId, Lit> waits_;                      // event → its thread stands before it for ever
  std::set<std::pair<NodeId, uint64_t>> continued_;  // continuations that the forest has
  Lit fails_ = 0, passes_ = 0, noFailure_ = 0;
};

}  // namespace heddle
