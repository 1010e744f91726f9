// The search's derivations, followed by a checker that shares nothing with it but the meaning of literals;
// and the checker itself, on derivations that are wrong.
#include <vector>

#include "analysis/solver/sat/proof_checker.h"
#include "analysis/solver/sat/sat_solver.h"
#include "tests/unit/solver/bench/problems.h"
#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

using sat::Literal;
using sat::ProofChecker;

Literal positive(uint32_t v) {
  return 2 * v;
}
Literal negative(uint32_t v) {
  return 2 * v + 1;
}

void give(ProofChecker& checker, void (ProofChecker::*step)(std::span<const Literal>),
          std::vector<Literal> literals) {
  (checker.*step)(literals);
}

TEST(ProofChecker, RejectsAClauseThatDoesNotFollow) {
  ProofChecker checker;
  give(checker, &ProofChecker::onClause, {positive(2), positive(3)});
  give(checker, &ProofChecker::onClause, {negative(2), positive(3)});
  give(checker, &ProofChecker::onLearnt, {positive(3)});
  EXPECT_EQ(checker.problem(), "");
  give(checker, &ProofChecker::onLearnt, {positive(2)});
  EXPECT_EQ(checker.problem(), "a learnt clause does not follow: 2");
}

TEST(ProofChecker, RejectsAnOrderLemmaWithoutACycle) {
  ProofChecker checker;
  checker.onAtom(2, 0, 1);
  checker.onAtom(3, 1, 2);
  checker.onEdge(2, 3);
  checker.onAtom(4, 3, 0);
  give(checker, &ProofChecker::onOrderLemma, {negative(2), negative(3), negative(4)});
  EXPECT_EQ(checker.problem(), "");
  give(checker, &ProofChecker::onOrderLemma, {negative(2), negative(3), positive(4)});
  EXPECT_EQ(checker.problem(), "an order lemma closes no cycle: -2 -3 4");
}

TEST(ProofChecker, RejectsACoreThatIsTooSmall) {
  ProofChecker checker;
  give(checker, &ProofChecker::onClause, {negative(2), negative(3)});
  give(checker, &ProofChecker::onUnsat, {positive(2), positive(3)});
  EXPECT_EQ(checker.problem(), "");
  give(checker, &ProofChecker::onUnsat, {positive(2)});
  EXPECT_EQ(checker.problem(), "a core does not follow: -2");
}

/// A solver whose derivation is followed.
class ProofTest : public testing::Test {
 protected:
  ProofTest() {
    sat::Options options;
    options.proof = checker_;
    solver_ = makeSatSolver(terms_, options);
  }
  void TearDown() override {
    EXPECT_EQ(checker_->problem(), "");
    EXPECT_GT(checker_->counters().answers, 0u);
  }

  TermTable terms_;
  Budget budget_;
  std::shared_ptr<ProofChecker> checker_ = std::make_shared<ProofChecker>();
  std::unique_ptr<Solver> solver_;
};

TEST_F(ProofTest, Pigeons) {
  EXPECT_EQ(solver_->check(bench::pigeons(*solver_, 6), budget_), Answer::Unsat);
  EXPECT_GT(checker_->counters().learnt, 100u);
}

TEST_F(ProofTest, LockedCountersNeedTheOrder) {
  EXPECT_EQ(solver_->check(bench::counter(*solver_, terms_, {2, 4, true, 7}), budget_), Answer::Unsat);
  EXPECT_GT(checker_->counters().lemmas, 100u);
}

TEST_F(ProofTest, UnlockedCountersCannotEndBelowTwo) {
  EXPECT_EQ(solver_->check(bench::counter(*solver_, terms_, {2, 4, false, 1}), budget_), Answer::Unsat);
}

/// Clauses over choices and orders, more of them between questions: the derivation goes on over all of them.
TEST_F(ProofTest, RandomQuestionsOneAfterTheOther) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    checker_ = std::make_shared<ProofChecker>();
    sat::Options options;
    options.proof = checker_;
    options.orderPropagation = static_cast<sat::OrderPropagation>(seed % 3);
    solver_ = makeSatSolver(terms_, options);
    Random random(seed);
    const unsigned nodes = 5 + static_cast<unsigned>(random.below(5));
    for (unsigned i = 0; i < nodes; ++i) solver_->newOrderNode(Solver::kTrue);
    std::vector<Lit> choices;
    for (unsigned i = 0; i < 6; ++i) choices.push_back(solver_->newLit());
    const auto randomLit = [&] {
      const auto a = static_cast<OrderNode>(random.below(nodes)),
                 b = static_cast<OrderNode>((a + 1 + random.below(nodes - 1)) % nodes);
      const Lit l = random.chance(40) ? choices[random.below(choices.size())] : solver_->before(a, b);
      return random.chance(50) ? l : -l;
    };
    unsigned unsat = 0;
    for (unsigned question = 0; question < 12; ++question) {
      if (random.chance(30))
        solver_->addEdge(static_cast<OrderNode>(random.below(nodes / 2)), static_cast<OrderNode>(nodes - 1));
      for (unsigned i = 0; i < nodes; ++i) solver_->addClause({randomLit(), randomLit(), randomLit()});
      std::vector<Lit> assumptions;
      for (unsigned i = 0; i < 5; ++i) assumptions.push_back(randomLit());
      unsat += solver_->check(assumptions, budget_) == Answer::Unsat;
    }
    ASSERT_EQ(checker_->problem(), "") << "seed " << seed;
    ASSERT_EQ(checker_->counters().answers, unsat) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::test
