// Problems with everything in them: clauses, order, terms, guards, growth, assumptions. Every configuration
// of our own search must give Z3's answers; every model is evaluated here, every core is asked again alone.
#include <algorithm>
#include <functional>
#include <vector>

#include "analysis/solver/sat/sat_solver.h"
#include "analysis/solver/team/solver_team.h"
#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

/// One literal of the problem, by meaning, so that it can be asked of any solver and evaluated in any model.
struct Atom {
  enum Kind { Choice, Before, Condition } kind;
  unsigned a = 0, b = 0;  // choice number, or the two nodes
  Term term = kNoTerm;
  bool positive = true;
};

struct Equality {
  Atom when;
  Term a, b;
};

/// Grows a random problem in steps; what it decides depends on the seed only.
class Problem {
 public:
  Problem(TermTable& terms, uint64_t seed) : terms_(terms), random_(seed) {
    const unsigned widths[] = {1, 3, 4, 8};
    for (unsigned i = 0; i < 4; ++i) symbols_.push_back(terms_.symbol(widths[random_.below(4)]));
    choices_ = 3 + static_cast<unsigned>(random_.below(4));
    nodes_ = 3 + static_cast<unsigned>(random_.below(4));
    for (unsigned i = 0; i < nodes_; ++i)
      on_.push_back(random_.chance(60) ? static_cast<int>(random_.below(choices_)) : -1);
  }

  void grow() {
    for (unsigned i = 0; i < 5; ++i) {
      std::vector<Atom> clause;
      for (uint64_t n = 1 + random_.below(3); n > 0; --n) clause.push_back(atom());
      if (clause.size() == 1 && random_.chance(80)) continue;
      clauses.push_back(clause);
    }
    if (random_.chance(60)) equalities.push_back(equality());
    if (random_.chance(40)) {
      const Atom e = beforeAtom();
      edges.emplace_back(e.a, e.b);
    }
  }

  Atom atom() {
    Atom a;
    switch (random_.below(4)) {
      case 0:
      case 1:
        a = {Atom::Choice, static_cast<unsigned>(random_.below(choices_))};
        break;
      case 2:
        a = beforeAtom();
        break;
      default: {
        constexpr TermOp kPredicates[] = {TermOp::Eq, TermOp::Ult, TermOp::Sle};
        const Term left = term(2);
        a = {Atom::Condition, 0, 0, terms_.binary(kPredicates[random_.below(3)], left, like(left))};
      }
    }
    a.positive = random_.chance(50);
    return a;
  }

  std::vector<Term> symbols_;
  unsigned choices_, nodes_;
  std::vector<int> on_;  // by node: a choice, or -1 for always
  std::vector<std::vector<Atom>> clauses;
  std::vector<Equality> equalities;
  std::vector<std::pair<unsigned, unsigned>> edges;

  Random& random() { return random_; }

 private:
  Atom beforeAtom() {
    const unsigned a = static_cast<unsigned>(random_.below(nodes_));
    unsigned b = static_cast<unsigned>(random_.below(nodes_ - 1));
    if (b >= a) ++b;
    return {Atom::Before, a, b};
  }

  Equality equality() {
    const Term a = symbols_[random_.below(symbols_.size())];
    return {{Atom::Choice, static_cast<unsigned>(random_.below(choices_)), 0, kNoTerm, random_.chance(70)},
            a,
            like(a)};
  }

  Term term(unsigned depth) {
    if (depth == 0 || random_.chance(30)) return symbols_[random_.below(symbols_.size())];
    constexpr TermOp kOps[] = {TermOp::Add, TermOp::Sub, TermOp::Mul, TermOp::And,
                               TermOp::Xor, TermOp::Shl, TermOp::URem};
    const Term a = term(depth - 1);
    return terms_.binary(kOps[random_.below(7)], a, like(a));
  }

  /// A term of the same width.
  Term like(Term t) {
    const unsigned width = terms_.width(t);
    if (random_.chance(40)) return terms_.constant(random_.next(), width);
    const Term other = symbols_[random_.below(symbols_.size())];
    return terms_.width(other) >= width ? terms_.extract(other, 0, width) : terms_.zext(other, width);
  }

  TermTable& terms_;
  Random random_;
};

/// A solver with the part of a problem that it was told.
class Client {
 public:
  Client(std::unique_ptr<Solver> solver, const Problem& problem, bool guards) : solver_(std::move(solver)) {
    for (unsigned i = 0; i < problem.choices_; ++i) choices_.push_back(solver_->newLit());
    for (unsigned n = 0; n < problem.nodes_; ++n)
      solver_->newOrderNode(guards && problem.on_[n] >= 0 ? choices_[problem.on_[n]] : Solver::kTrue);
    if (guards) {
      // Guards that have nothing to do with the clauses: they may cost time, never the answer.
      solver_->guard(choices_[1], choices_[0]);
      solver_->guard(-choices_[2], -choices_[1]);
      solver_->guardSymbol(problem.symbols_[0], choices_[0]);
      solver_->guardSymbol(problem.symbols_[1], -choices_[2]);
    }
  }

  Lit lit(const Atom& a) {
    const Lit l = a.kind == Atom::Choice   ? choices_[a.a]
                  : a.kind == Atom::Before ? solver_->before(a.a, a.b)
                                           : solver_->condition(a.term);
    return a.positive ? l : -l;
  }

  void tell(const Problem& problem) {
    for (; clauses_ < problem.clauses.size(); ++clauses_) {
      std::vector<Lit> clause;
      for (const Atom& a : problem.clauses[clauses_]) clause.push_back(lit(a));
      solver_->addClause(clause);
    }
    for (; equalities_ < problem.equalities.size(); ++equalities_) {
      const Equality& e = problem.equalities[equalities_];
      solver_->addEqualityIf(lit(e.when), e.a, e.b);
    }
    for (; edges_ < problem.edges.size(); ++edges_)
      solver_->addEdge(problem.edges[edges_].first, problem.edges[edges_].second);
  }

  Answer ask(const std::vector<Atom>& assumptions) {
    std::vector<Lit> lits;
    for (const Atom& a : assumptions) lits.push_back(lit(a));
    return solver_->check(lits, Budget());
  }

  Solver& solver() { return *solver_; }

 private:
  std::unique_ptr<Solver> solver_;
  std::vector<Lit> choices_;
  size_t clauses_ = 0, equalities_ = 0, edges_ = 0;
};

/// Evaluates everything from choices, symbol values and positions alone.
void expectModel(Client& client, const Problem& problem, const std::vector<Atom>& assumptions,
                 const TermTable& terms) {
  Solver& solver = client.solver();
  std::vector<uint64_t> values(terms.symbolCount(), 0);
  for (uint32_t i = 0; i < terms.symbolCount(); ++i) values[i] = solver.modelTerm(terms.symbolTerm(i));
  const auto holds = [&](const Atom& a) {
    const bool v = a.kind == Atom::Choice   ? solver.modelValue(client.lit(a)) == a.positive
                   : a.kind == Atom::Before ? solver.modelPosition(a.a) < solver.modelPosition(a.b)
                                            : terms.evaluate(a.term, values) != 0;
    return v == a.positive;
  };
  for (const auto& clause : problem.clauses) {
    ASSERT_TRUE(std::any_of(clause.begin(), clause.end(), holds));
    for (const Atom& a : clause) {
      ASSERT_EQ(solver.modelValue(client.lit(a)), holds(a)) << "kind " << a.kind;
      if (a.kind == Atom::Condition) {
        ASSERT_EQ(terms.isConst(a.term) ? terms.constValue(a.term) : solver.modelTerm(a.term),
                  terms.evaluate(a.term, values));
      }
    }
  }
  for (const Equality& e : problem.equalities) {
    if (holds(e.when)) {
      ASSERT_EQ(terms.evaluate(e.a, values), terms.evaluate(e.b, values));
    }
  }
  for (const auto& [a, b] : problem.edges) ASSERT_LT(solver.modelPosition(a), solver.modelPosition(b));
  for (const Atom& a : assumptions) ASSERT_TRUE(holds(a));
}

using MakeSolver = std::function<std::unique_ptr<Solver>(const TermTable&)>;

void expectSameAnswers(unsigned from, unsigned to, const MakeSolver& makeOurs, bool guards) {
  unsigned sat = 0, unsat = 0;
  for (unsigned round = from; round < to; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    TermTable terms;
    Problem problem(terms, round);
    Client z3(makeSolver(SolverKind::Z3, terms), problem, guards);
    Client ours(makeOurs(terms), problem, guards);
    for (unsigned step = 0; step < 4; ++step) {
      problem.grow();
      z3.tell(problem);
      ours.tell(problem);
      for (unsigned question = 0; question < 2; ++question) {
        std::vector<Atom> assumptions;
        for (uint64_t n = problem.random().below(4); n > 0; --n) assumptions.push_back(problem.atom());
        const Answer expected = z3.ask(assumptions);
        const Answer answer = ours.ask(assumptions);
        ASSERT_TRUE(expected == Answer::Sat || expected == Answer::Unsat);
        ASSERT_EQ(answer, expected) << "step " << step;
        if (answer == Answer::Sat) {
          ++sat;
          expectModel(ours, problem, assumptions, terms);
          expectModel(z3, problem, assumptions, terms);
        } else {
          ++unsat;
          std::vector<Atom> core;
          for (const Atom& a : assumptions) {
            const auto& lits = ours.solver().core();
            if (std::count(lits.begin(), lits.end(), ours.lit(a))) core.push_back(a);
          }
          ASSERT_EQ(z3.ask(core), Answer::Unsat) << "the core is satisfiable";
        }
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(sat, (to - from) / 2);
  EXPECT_GT(unsat, (to - from) / 2);
}

std::unique_ptr<Solver> withOptions(const TermTable& terms, const sat::Options& options) {
  return makeSatSolver(terms, options);
}

TEST(MixedTest, DefaultsAgreeWithZ3) {
  expectSameAnswers(
      0, 300, [](const TermTable& t) { return makeSolver(SolverKind::Sat, t); }, true);
}

TEST(MixedTest, WithoutGuardsToo) {
  expectSameAnswers(
      300, 450, [](const TermTable& t) { return makeSolver(SolverKind::Sat, t); }, false);
}

TEST(MixedTest, WithAdaptiveOrderPropagation) {
  sat::Options options;
  options.orderPropagation = sat::OrderPropagation::Adaptive;
  expectSameAnswers(
      450, 650, [&](const TermTable& t) { return withOptions(t, options); }, true);
}

TEST(MixedTest, WithTightLimitsAndSavedPhases) {
  sat::Options options;
  options.orderPropagation = sat::OrderPropagation::Always;
  options.orderPropagationLimit = 3;
  options.orderPhaseFromPlaces = false;
  expectSameAnswers(
      650, 800, [&](const TermTable& t) { return withOptions(t, options); }, true);
}

TEST(MixedTest, WithoutRelevanceOrOrderPropagation) {
  sat::Options options;
  options.orderPropagation = sat::OrderPropagation::Never;
  options.relevance = false;
  expectSameAnswers(
      800, 950, [&](const TermTable& t) { return withOptions(t, options); }, true);
}

TEST(MixedTest, WithTermsEncodedOnlyInsideTheCheck) {
  sat::Options options;
  options.eagerBytes = 0;
  expectSameAnswers(
      950, 1150, [&](const TermTable& t) { return withOptions(t, options); }, true);
}

TEST(MixedTest, ATeamWhoseHelpersBeginAtOnce) {
  expectSameAnswers(
      1150, 1300,
      [](const TermTable& t) -> std::unique_ptr<Solver> {
        SolverTeam::Shape shape;
        shape.threads = 3;
        shape.slice = 10;
        shape.aloneSlices = 1;
        shape.search.pollTicks = 10;
        return std::make_unique<SolverTeam>(t, shape);
      },
      true);
}

}  // namespace
}  // namespace heddle::test
