// The order of events against brute force over all permutations.
#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

struct OrderLit {
  unsigned a, b;  // a before b, or not
  bool positive;
};

bool holds(const OrderLit& l, const std::vector<unsigned>& place) {
  return (place[l.a] < place[l.b]) == l.positive;
}

struct OrderProblem {
  unsigned nodes;
  std::vector<std::pair<unsigned, unsigned>> edges;
  std::vector<std::vector<OrderLit>> clauses;
  std::vector<OrderLit> assumptions;

  bool satisfiedBy(const std::vector<unsigned>& place) const {
    const auto holdsHere = [&](const OrderLit& l) { return holds(l, place); };
    return std::all_of(edges.begin(), edges.end(),
                       [&](auto e) { return place[e.first] < place[e.second]; }) &&
           std::all_of(clauses.begin(), clauses.end(),
                       [&](auto& c) { return std::any_of(c.begin(), c.end(), holdsHere); }) &&
           std::all_of(assumptions.begin(), assumptions.end(), holdsHere);
  }

  bool satisfiable() const {
    std::vector<unsigned> place(nodes);
    std::iota(place.begin(), place.end(), 0u);
    do {
      if (satisfiedBy(place)) return true;
    } while (std::next_permutation(place.begin(), place.end()));
    return false;
  }
};

OrderLit randomOrderLit(Random& random, unsigned nodes) {
  const unsigned a = static_cast<unsigned>(random.below(nodes));
  unsigned b = static_cast<unsigned>(random.below(nodes - 1));
  if (b >= a) ++b;
  return {a, b, random.chance(50)};
}

class OrderTest : public SolverTest {
 protected:
  std::vector<unsigned> placesInModel(const Solver& solver, unsigned nodes) {
    std::vector<unsigned> order(nodes), place(nodes);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](unsigned a, unsigned b) { return solver.modelPosition(a) < solver.modelPosition(b); });
    for (unsigned i = 0; i < nodes; ++i) place[order[i]] = i;
    return place;
  }
};

TEST_P(OrderTest, RandomProblemsAgreeWithAllPermutations) {
  unsigned unsat = 0, total = 0;
  for (unsigned round = 0; round < rounds(600); ++round) {
    Random random(round);
    OrderProblem problem;
    problem.nodes = 3 + static_cast<unsigned>(random.below(4));
    const auto solver = make();
    for (unsigned i = 0; i < problem.nodes; ++i) ASSERT_EQ(solver->newOrderNode(Solver::kTrue), i);
    const auto lit = [&](const OrderLit& l) {
      return l.positive ? solver->before(l.a, l.b) : -solver->before(l.a, l.b);
    };
    for (unsigned step = 0; step < 4; ++step) {
      if (random.chance(60)) {
        const OrderLit e = randomOrderLit(random, problem.nodes);
        problem.edges.emplace_back(e.a, e.b);
        solver->addEdge(e.a, e.b);
      }
      for (unsigned i = 0; i < problem.nodes; ++i) {
        std::vector<OrderLit> clause;
        std::vector<Lit> lits;
        for (uint64_t n = 1 + random.below(3); n > 0; --n) {
          clause.push_back(randomOrderLit(random, problem.nodes));
          lits.push_back(lit(clause.back()));
        }
        if (clause.size() == 1 && random.chance(60)) continue;
        problem.clauses.push_back(clause);
        solver->addClause(lits);
      }
      problem.assumptions.clear();
      std::vector<Lit> assumptions;
      for (uint64_t n = random.below(4); n > 0; --n) {
        problem.assumptions.push_back(randomOrderLit(random, problem.nodes));
        assumptions.push_back(lit(problem.assumptions.back()));
      }
      const bool expected = problem.satisfiable();
      const Answer answer = solver->check(assumptions, budget_);
      ASSERT_EQ(answer, expected ? Answer::Sat : Answer::Unsat) << "round " << round << " step " << step;
      ++total;
      if (expected) {
        const std::vector<unsigned> place = placesInModel(*solver, problem.nodes);
        ASSERT_TRUE(problem.satisfiedBy(place)) << "round " << round << " step " << step;
        for (unsigned a = 0; a < problem.nodes; ++a)
          for (unsigned b = 0; b < a; ++b) ASSERT_NE(solver->modelPosition(a), solver->modelPosition(b));
        for (const auto& clause : problem.clauses)
          for (const OrderLit& l : clause) ASSERT_EQ(solver->modelValue(lit(l)), holds(l, place));
      } else {
        ++unsat;
        OrderProblem relaxed = problem;
        std::erase_if(relaxed.assumptions, [&](const OrderLit& l) {
          return std::count(solver->core().begin(), solver->core().end(), lit(l)) == 0;
        });
        ASSERT_FALSE(relaxed.satisfiable()) << "the core is satisfiable";
      }
    }
  }
  EXPECT_GT(unsat, total / 10);
  EXPECT_GT(total - unsat, total / 10);
}

TEST_P(OrderTest, NegationIsTheReverseOrder) {
  const auto solver = make();
  const OrderNode a = solver->newOrderNode(Solver::kTrue), b = solver->newOrderNode(Solver::kTrue),
                  c = solver->newOrderNode(Solver::kTrue);
  EXPECT_EQ(solver->before(a, b), -solver->before(b, a));
  // A cycle of negations only: no three events can be "not before" each other all around.
  std::vector<Lit> cycle{-solver->before(a, b), -solver->before(b, c), -solver->before(c, a)};
  EXPECT_EQ(solver->check(cycle, budget_), Answer::Unsat);
  EXPECT_EQ(solver->core().size(), 3u);
  cycle.pop_back();
  EXPECT_EQ(solver->check(cycle, budget_), Answer::Sat);
  EXPECT_LT(solver->modelPosition(c), solver->modelPosition(b));
  EXPECT_LT(solver->modelPosition(b), solver->modelPosition(a));
}

TEST_P(OrderTest, ACycleOfFixedEdgesIsUnsatisfiable) {
  const auto solver = make();
  const OrderNode a = solver->newOrderNode(Solver::kTrue), b = solver->newOrderNode(Solver::kTrue);
  solver->addEdge(a, b);
  EXPECT_EQ(solver->check({}, budget_), Answer::Sat);
  solver->addEdge(b, a);
  EXPECT_EQ(solver->check({}, budget_), Answer::Unsat);
  EXPECT_TRUE(solver->core().empty());
}

TEST_P(OrderTest, LongChainsAreOrdered) {
  const auto solver = make();
  const unsigned nodes = GetParam() == SolverKind::Z3 ? 150 : 2000;
  for (unsigned i = 0; i < nodes; ++i) solver->newOrderNode(Solver::kTrue);
  for (unsigned i = 1; i < nodes; ++i) solver->addEdge(nodes - i, nodes - i - 1);  // against creation order
  ASSERT_EQ(solver->check({}, budget_), Answer::Sat);
  for (unsigned i = 1; i < nodes; ++i) ASSERT_LT(solver->modelPosition(i), solver->modelPosition(i - 1));
  const std::vector<Lit> against{solver->before(0, nodes - 1)};
  EXPECT_EQ(solver->check(against, budget_), Answer::Unsat);
}

HEDDLE_ALL_BACKENDS(OrderTest);

}  // namespace
}  // namespace heddle::test
