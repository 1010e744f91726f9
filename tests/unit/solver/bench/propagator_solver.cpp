#include "tests/unit/solver/bench/propagator_solver.h"

#include <z3++.h>

#include <unordered_map>

#include "analysis/solver/sat/order_theory.h"
#include "analysis/solver/z3/z3_terms.h"
#include "analysis/solver/z3/z3_watch.h"

namespace heddle::bench {
namespace {

using sat::OrderTheory;

/// On Z3's C interface: the C++ wrapper of 4.8.12 never registers itself.
class OrderPropagator final {
 public:
  OrderPropagator(z3::solver& solver, bool implied) : solver_(solver), implied_(implied) {
    Z3_solver_propagate_init(
        solver.ctx(), solver, this, [](void* p) { static_cast<OrderPropagator*>(p)->push(); },
        [](void* p, unsigned scopes) { static_cast<OrderPropagator*>(p)->pop(scopes); },
        [](void* p, Z3_context) { return p; });
    Z3_solver_propagate_fixed(solver.ctx(), solver,
                              [](void* p, Z3_solver_callback callback, unsigned id, Z3_ast value) {
                                auto& self = *static_cast<OrderPropagator*>(p);
                                self.callback_ = callback;
                                self.assigned(id, Z3_get_bool_value(self.solver_.ctx(), value) == Z3_L_TRUE);
                              });
  }

  OrderTheory& order() { return order_; }

  void addAtom(const z3::expr& e, sat::Var v, OrderTheory::Node a, OrderTheory::Node b) {
    order_.addAtom(v, a, b);
    const unsigned id = Z3_solver_propagate_register(solver_.ctx(), solver_, e);
    if (id >= variables_.size()) variables_.resize(id + 1, 0);
    variables_[id] = v;
    if (v >= atoms_.size()) atoms_.resize(v + 1);
    atoms_[v] = {id, std::make_unique<z3::expr>(e), 0};
  }

  void push() { scopes_.push_back({order_.temporaryEdges(), trail_.size()}); }
  void pop(unsigned scopes) {
    const Scope scope = scopes_[scopes_.size() - scopes];
    scopes_.resize(scopes_.size() - scopes);
    order_.undoTo(scope.edges);
    for (; trail_.size() > scope.trail; trail_.pop_back()) atoms_[trail_.back()].value = 0;
  }

  uint64_t conflicts = 0;

 private:
  struct Atom {
    unsigned id = 0;
    std::unique_ptr<z3::expr> expression;
    int value = 0;
  };
  struct Scope {
    uint32_t edges;
    size_t trail;
  };

  void assigned(unsigned id, bool value) {
    const sat::Var v = variables_[id];
    atoms_[v].value = value ? 1 : -1;
    trail_.push_back(v);
    const sat::Literal p = value ? 2 * v : 2 * v + 1;
    const auto [from, to] = order_.edge(p);
    path_.clear();
    if (!order_.addEdge(from, to, p, path_)) {
      ++conflicts;
      path_.push_back(p);
      infer(solver_.ctx().bool_val(false));
      return;
    }
    if (!implied_) return;
    impliedNow_.clear();
    order_.implied(
        from, to, 2000, [this](sat::Var w) { return atoms_[w].value == 0; }, impliedNow_);
    for (const sat::Literal q : impliedNow_) {
      path_.clear();
      order_.explain(q, order_.temporaryEdges(), path_);
      const z3::expr& atom = *atoms_[sat::varOf(q)].expression;
      infer((q & 1) ? !atom : atom);
    }
  }

  /// From the literals of path_.
  void infer(const z3::expr& consequence) {
    std::vector<unsigned> ids;
    for (const sat::Literal p : path_) ids.push_back(atoms_[sat::varOf(p)].id);
    Z3_solver_propagate_consequence(solver_.ctx(), callback_, static_cast<unsigned>(ids.size()), ids.data(),
                                    0, nullptr, nullptr, consequence);
  }

  z3::solver& solver_;
  bool implied_;
  Z3_solver_callback callback_ = nullptr;
  OrderTheory order_;
  std::vector<sat::Var> variables_;  // by Z3's number
  std::vector<Atom> atoms_;          // by variable
  std::vector<Scope> scopes_;
  std::vector<sat::Var> trail_;
  std::vector<sat::Literal> path_, impliedNow_;
};

class PropagatorSolver final : public Solver {
 public:
  PropagatorSolver(const TermTable& terms, bool implied)
      : terms_(terms),
        solver_(context_, z3::solver::simple()),
        propagator_(solver_, implied),
        translate_(context_, terms),
        literals_(context_) {
    literals_.push_back(context_.bool_val(false));
    literals_.push_back(context_.bool_val(true));
  }

  Lit newLit() override {
    return define(context_.bool_const(("b" + std::to_string(literals_.size())).c_str()));
  }
  void addClause(std::span<const Lit> clause) override {
    z3::expr_vector parts(context_);
    for (const Lit l : clause) parts.push_back(literal(l));
    solver_.add(z3::mk_or(parts));
  }
  OrderNode newOrderNode(Lit) override { return propagator_.order().newNode(); }
  void addEdge(OrderNode a, OrderNode b) override {
    std::vector<sat::Literal> path;
    if (!propagator_.order().addEdge(a, b, sat::kNoLiteral, path)) solver_.add(context_.bool_val(false));
  }
  Lit before(OrderNode a, OrderNode b) override {
    const bool swapped = a > b;
    if (swapped) std::swap(a, b);
    Lit& l = atoms_[static_cast<uint64_t>(a) << 32 | b];
    if (l == 0) {
      l = newLit();
      propagator_.addAtom(literals_[static_cast<unsigned>(l)], static_cast<sat::Var>(l), a, b);
    }
    return swapped ? -l : l;
  }
  Lit condition(Term t) override {
    Lit& l = conditions_[t];
    if (l == 0) l = define(translate_.truth(t));
    return l;
  }
  void addEqualityIf(Lit l, Term a, Term b) override {
    solver_.add(z3::implies(literal(l), translate_.bits(a) == translate_.bits(b)));
  }

  Answer check(std::span<const Lit> assumptions, const Budget& budget) override {
    for (const Lit l : assumptions) solver_.add(literal(l));
    Z3Watch watch(context_, budget);
    z3::check_result result = z3::unknown;
    try {
      result = solver_.check();
    } catch (const z3::exception&) {  // an interrupt
    }
    stats_.conflicts = propagator_.conflicts;
    if (watch.finish() != StopReason::None) return Answer::Timeout;
    return result == z3::sat ? Answer::Sat : result == z3::unsat ? Answer::Unsat : Answer::Unknown;
  }

  bool modelValue(Lit) const override { return false; }
  uint64_t modelTerm(Term) const override { return 0; }
  uint64_t modelPosition(OrderNode) const override { return 0; }
  const std::vector<Lit>& core() const override { return core_; }
  const SolverStats& stats() const override { return stats_; }

 private:
  Lit define(const z3::expr& e) {
    literals_.push_back(e);
    return static_cast<Lit>(literals_.size() - 1);
  }
  z3::expr literal(Lit l) {
    return l > 0 ? literals_[static_cast<unsigned>(l)] : !literals_[static_cast<unsigned>(-l)];
  }

  const TermTable& terms_;
  z3::context context_;
  z3::solver solver_;
  OrderPropagator propagator_;
  Z3Terms translate_;
  z3::expr_vector literals_;
  std::unordered_map<uint64_t, Lit> atoms_;
  std::unordered_map<Term, Lit> conditions_;
  std::vector<Lit> core_;
  SolverStats stats_;
};

}  // namespace

std::unique_ptr<Solver> makePropagatorSolver(const TermTable& terms, bool implied) {
  return std::make_unique<PropagatorSolver>(terms, implied);
}

}  // namespace heddle::bench
