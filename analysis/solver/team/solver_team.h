// SolverTeam: the fast backend with helpers for hard questions.
//
// One search answers every question, as if it were alone. When a question takes long, it is copied with all
// it has learnt, once for each further thread; the copies search in other ways, take in the good clauses of
// all others, and stop everybody when one of them proves that there is no answer. Only such proofs are taken
// from helpers: models come from the first search, so that what is executed does not depend on the number of
// threads.
//
// Threading: as Solver says; threads of its own live only within check().
#pragma once

#include <memory>
#include <vector>

#include "analysis/solver/sat/sat_solver.h"

namespace heddle {

class SolverTeam final : public Solver {
 public:
  struct Shape {
    unsigned threads = 1;
    uint64_t slice = 2'000'000;  // units of work between two exchanges of clauses
    unsigned aloneSlices = 10;   // slices of the first search before the helpers begin
    sat::Options search;
  };

  SolverTeam(const TermTable& terms, const Shape& shape)
      : shape_(shape), first_(makeSatSolver(terms, shape.search)) {}

  Lit newLit() override { return first_->newLit(); }
  void addClause(std::span<const Lit> clause) override { first_->addClause(clause); }
  OrderNode newOrderNode(Lit on) override { return first_->newOrderNode(on); }
  void addEdge(OrderNode a, OrderNode b) override { first_->addEdge(a, b); }
  Lit before(OrderNode a, OrderNode b) override { return first_->before(a, b); }
  Lit condition(Term t) override { return first_->condition(t); }
  void addEqualityIf(Lit l, Term a, Term b) override { first_->addEqualityIf(l, a, b); }
  void guard(Lit l, Lit g) override { first_->guard(l, g); }
  void guardSymbol(Term symbol, Lit g) override { first_->guardSymbol(symbol, g); }
  void prefer(Lit l) override { first_->prefer(l); }
  void suggestOrder(std::span<const OrderNode> sequence) override { first_->suggestOrder(sequence); }

  Answer check(std::span<const Lit> assumptions, const Budget& budget) override;

  bool modelValue(Lit l) const override { return first_->modelValue(l); }
  uint64_t modelTerm(Term t) const override { return first_->modelTerm(t); }
  uint64_t modelPosition(OrderNode n) const override { return first_->modelPosition(n); }
  const std::vector<Lit>& core() const override { return core_; }
  const SolverStats& stats() const override { return stats_; }

  /// Questions that a helper answered first.
  uint64_t helped() const { return helped_; }

 private:
  const Shape shape_;
  std::unique_ptr<SatBackend> first_;
  std::vector<Lit> core_;
  SolverStats stats_;
  uint64_t helped_ = 0;
};

}  // namespace heddle
