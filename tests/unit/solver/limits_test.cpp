// Budgets: a query ends soon after a stop, at its deadline, and at its memory cap, and the solver stays
// usable.
#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

using std::chrono::milliseconds;

class LimitsTest : public SolverTest {
 protected:
  /// n + 1 pigeons do not fit in n holes: exponentially hard for resolution. Returns the literal that asks
  /// for it.
  Lit addPigeons(Solver& solver, unsigned holes) {
    const Lit on = solver.newLit();
    std::vector<std::vector<Lit>> in(holes + 1);
    for (auto& row : in) {
      for (unsigned h = 0; h < holes; ++h) row.push_back(solver.newLit());
      std::vector<Lit> somewhere = row;
      somewhere.push_back(-on);
      solver.addClause(somewhere);
    }
    for (unsigned h = 0; h < holes; ++h)
      for (unsigned p = 0; p <= holes; ++p)
        for (unsigned q = 0; q < p; ++q) solver.addClause({-in[p][h], -in[q][h]});
    return on;
  }
};

TEST_P(LimitsTest, ADeadlineEndsAHardQuery) {
  const auto solver = make();
  const Lit hard = addPigeons(*solver, 13);
  const auto start = Budget::Clock::now();
  const Budget budget = Budget::forDuration(milliseconds(100));
  EXPECT_EQ(solver->check(std::vector<Lit>{hard}, budget), Answer::Timeout);
  EXPECT_LT(Budget::Clock::now() - start, std::chrono::seconds(2));
  EXPECT_EQ(solver->check({}, budget_), Answer::Sat) << "the solver must stay usable";
  EXPECT_EQ(solver->stats().unknown, 1u);
}

TEST_P(LimitsTest, AStopEndsAHardQuery) {
  const auto solver = make();
  const Lit hard = addPigeons(*solver, 13);
  for (unsigned i = 0; i < 5; ++i) {
    std::stop_source source;
    Budget budget;
    budget.withStop(source.get_token());
    std::jthread stopper([&source, i] {
      const auto until = Budget::Clock::now() + milliseconds(5 * i);
      while (Budget::Clock::now() < until) std::this_thread::yield();
      source.request_stop();
    });
    const auto start = Budget::Clock::now();
    EXPECT_EQ(solver->check(std::vector<Lit>{hard}, budget), Answer::Interrupted);
    EXPECT_LT(Budget::Clock::now() - start, std::chrono::seconds(2));
    EXPECT_EQ(solver->check({}, budget_), Answer::Sat) << "an old interrupt must not reach a new query";
  }
}

TEST_P(LimitsTest, AStopBeforeTheQueryCounts) {
  const auto solver = make();
  std::stop_source source;
  source.request_stop();
  Budget stopped;
  stopped.withStop(source.get_token());
  EXPECT_EQ(solver->check({}, stopped), Answer::Interrupted);
  EXPECT_EQ(solver->check({}, Budget::forDuration(std::chrono::hours(1))), Answer::Sat);
  Budget late = Budget::forDuration(milliseconds(1));
  while (Budget::Clock::now() < *late.deadline()) std::this_thread::yield();
  EXPECT_EQ(solver->check({}, late), Answer::Timeout);
}

TEST_P(LimitsTest, TheMemoryCapEndsAQuery) {
  const auto solver = make();
  Term product = terms_.symbol(64);
  for (unsigned i = 0; i < 40; ++i) product = terms_.binary(TermOp::Mul, product, terms_.symbol(64));
  const Lit wanted = solver->condition(terms_.eq(product, terms_.constant(0x1234567890ABCDEFull, 64)));
  Budget small;
  small.withMemory(8 << 20);
  EXPECT_EQ(solver->check(std::vector<Lit>{wanted}, small), Answer::OutOfMemory);
}

TEST_P(LimitsTest, CoreMinimizationStopsWithTheBudget) {
  const auto solver = make();
  const Lit a = solver->newLit(), b = solver->newLit(), c = solver->newLit();
  solver->addClause({-a, -b});
  std::stop_source source;
  source.request_stop();
  Budget stopped;
  stopped.withStop(source.get_token());
  bool minimal = true;
  EXPECT_EQ(minimizeCore(*solver, {a, b, c}, stopped, &minimal), (std::vector<Lit>{a, b, c}));
  EXPECT_FALSE(minimal);
  EXPECT_EQ(minimizeCore(*solver, {a, b, c}, budget_, &minimal), (std::vector<Lit>{a, b}));
  EXPECT_TRUE(minimal);
}

TEST_F(LimitsTest, CoreMinimizationKeepsWhatLimitedWorkCannotDecide) {
  const auto solver = makeSolver(SolverKind::Sat, terms_);
  const Lit a = solver->newLit(), b = solver->newLit(), needless = solver->newLit();
  solver->addClause({-a, -b});
  const Lit hard = addPigeons(*solver, 11);
  solver->addClause({-needless, hard});  // without a, the rest is the pigeons' question
  solver->limitWork(1'000'000);
  bool minimal = true;
  EXPECT_EQ(minimizeCore(*solver, {needless, a, b}, budget_, &minimal), (std::vector<Lit>{a, b}));
  EXPECT_TRUE(minimal);
  EXPECT_EQ(minimizeCore(*solver, {a, b, needless}, budget_, &minimal), (std::vector<Lit>{a, b}));
  EXPECT_FALSE(minimal) << "whether the pigeons alone are impossible was not decided";
}

HEDDLE_ALL_BACKENDS(LimitsTest);

}  // namespace
}  // namespace heddle::test
