// Clauses, assumptions and cores against brute force over all assignments.
#include <algorithm>
#include <vector>

#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

using Clauses = std::vector<std::vector<Lit>>;

/// Literal l of the brute-force world is variable |l| - 1.
bool satisfied(const std::vector<Lit>& clause, uint32_t assignment) {
  return std::any_of(clause.begin(), clause.end(),
                     [&](Lit l) { return ((assignment >> (std::abs(l) - 1)) & 1) == (l > 0 ? 1u : 0u); });
}

bool satisfiable(const Clauses& clauses, const std::vector<Lit>& assumptions, unsigned variables) {
  for (uint32_t a = 0; a < (1u << variables); ++a) {
    const bool ok =
        std::all_of(clauses.begin(), clauses.end(), [&](auto& c) { return satisfied(c, a); }) &&
        std::all_of(assumptions.begin(), assumptions.end(), [&](Lit l) { return satisfied({l}, a); });
    if (ok) return true;
  }
  return false;
}

Lit randomLit(Random& random, unsigned variables) {
  const Lit v = static_cast<Lit>(1 + random.below(variables));
  return random.chance(50) ? v : -v;
}

class ClausesTest : public SolverTest {
 protected:
  /// The solver's literal for a brute-force literal.
  Lit map(Lit l) const { return l > 0 ? lits_[l - 1] : -lits_[-l - 1]; }
  std::vector<Lit> map(const std::vector<Lit>& ls) const {
    std::vector<Lit> out;
    for (const Lit l : ls) out.push_back(map(l));
    return out;
  }

  std::vector<Lit> lits_;
};

TEST_P(ClausesTest, RandomProblemsAgreeWithBruteForceWhileTheyGrow) {
  for (unsigned round = 0; round < rounds(2000); ++round) {
    Random random(round);
    const unsigned variables = 3 + static_cast<unsigned>(random.below(8));
    const auto solver = make();
    lits_.clear();
    Clauses clauses;
    for (unsigned step = 0; step < 6; ++step) {
      while (lits_.size() < std::min<size_t>(variables, 2 + 2 * step)) lits_.push_back(solver->newLit());
      const unsigned live = static_cast<unsigned>(lits_.size());
      for (unsigned i = 0; i < variables; ++i) {
        std::vector<Lit> clause;
        for (uint64_t n = 1 + random.below(4); n > 0; --n) clause.push_back(randomLit(random, live));
        if (clause.size() == 1 && random.chance(70)) clause.push_back(randomLit(random, live));
        clauses.push_back(clause);
        solver->addClause(map(clause));
      }
      std::vector<Lit> assumptions;
      for (uint64_t n = random.below(4); n > 0; --n) assumptions.push_back(randomLit(random, live));

      const bool expected = satisfiable(clauses, assumptions, live);
      const Answer answer = solver->check(map(assumptions), budget_);
      ASSERT_EQ(answer, expected ? Answer::Sat : Answer::Unsat) << "round " << round << " step " << step;
      if (answer == Answer::Sat) {
        for (const auto& clause : clauses)
          ASSERT_TRUE(
              std::any_of(clause.begin(), clause.end(), [&](Lit l) { return solver->modelValue(map(l)); }));
        for (const Lit l : assumptions) ASSERT_TRUE(solver->modelValue(map(l)));
        ASSERT_TRUE(solver->modelValue(Solver::kTrue));
      } else {
        std::vector<Lit> core;
        for (const Lit l : assumptions)
          if (std::count(solver->core().begin(), solver->core().end(), map(l))) core.push_back(l);
        for (const Lit l : solver->core()) {
          const std::vector<Lit> given = map(assumptions);
          ASSERT_TRUE(std::count(given.begin(), given.end(), l)) << "core is not a subset of the assumptions";
        }
        ASSERT_FALSE(satisfiable(clauses, core, live)) << "round " << round;
      }
    }
  }
}

TEST_P(ClausesTest, MinimizedCoresAreMinimal) {
  unsigned cores = 0;
  for (unsigned round = 0; round < rounds(1000); ++round) {
    Random random(round + 77777);
    const unsigned variables = 6 + static_cast<unsigned>(random.below(5));
    const auto solver = make();
    lits_.clear();
    for (unsigned i = 0; i < variables; ++i) lits_.push_back(solver->newLit());
    Clauses clauses;
    for (unsigned i = 0; i < 2 * variables; ++i) {
      clauses.push_back(
          {randomLit(random, variables), randomLit(random, variables), randomLit(random, variables)});
      solver->addClause(map(clauses.back()));
    }
    std::vector<Lit> assumptions;
    for (unsigned v = 1; v <= variables; ++v) assumptions.push_back(random.chance(50) ? Lit(v) : -Lit(v));
    if (solver->check(map(assumptions), budget_) != Answer::Unsat) continue;
    bool minimal = false;
    const std::vector<Lit> core = minimizeCore(*solver, solver->core(), budget_, &minimal);
    ASSERT_TRUE(minimal);
    std::vector<Lit> back;
    for (const Lit l : assumptions)
      if (std::count(core.begin(), core.end(), map(l))) back.push_back(l);
    ASSERT_EQ(back.size(), core.size());
    ASSERT_FALSE(satisfiable(clauses, back, variables));
    for (size_t i = 0; i < back.size(); ++i) {
      std::vector<Lit> without = back;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_TRUE(satisfiable(clauses, without, variables)) << "round " << round;
    }
    ++cores;
  }
  EXPECT_GT(cores, rounds(1000) / 20);
}

TEST_P(ClausesTest, ContradictoryAndConstantAssumptions) {
  const auto solver = make();
  const Lit a = solver->newLit();
  const auto check = [&](std::vector<Lit> assumptions) { return solver->check(assumptions, budget_); };
  EXPECT_EQ(check({Solver::kTrue, a, a}), Answer::Sat);
  EXPECT_EQ(check({a, -a}), Answer::Unsat);
  EXPECT_EQ(solver->core().size(), 2u);
  EXPECT_EQ(check({a, -Solver::kTrue}), Answer::Unsat);
  EXPECT_EQ(solver->core(), std::vector<Lit>{-Solver::kTrue});
  solver->addClause({-a, -a});
  EXPECT_EQ(check({a}), Answer::Unsat);
  EXPECT_EQ(solver->core(), std::vector<Lit>{a});
  EXPECT_EQ(check({}), Answer::Sat);
  solver->addClause({-Solver::kTrue, a});
  EXPECT_EQ(check({}), Answer::Unsat);
  EXPECT_TRUE(solver->core().empty());
  EXPECT_EQ(solver->stats().queries, 6u);
  EXPECT_EQ(solver->stats().unsat, 4u);
}

TEST_P(ClausesTest, TheEmptyClauseEndsEverything) {
  const auto solver = make();
  solver->addClause(std::vector<Lit>{});
  EXPECT_EQ(solver->check({}, budget_), Answer::Unsat);
  EXPECT_TRUE(solver->core().empty());
}

HEDDLE_ALL_BACKENDS(ClausesTest);

}  // namespace
}  // namespace heddle::test
