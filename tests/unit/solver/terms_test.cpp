// Every operation at many widths against evalBinary, the single definition of their meaning.
#include <vector>

#include "tests/unit/solver/fixture.h"

namespace heddle::test {
namespace {

constexpr TermOp kBinary[] = {TermOp::Add,  TermOp::Sub,  TermOp::Mul,  TermOp::UDiv, TermOp::SDiv,
                              TermOp::URem, TermOp::SRem, TermOp::And,  TermOp::Or,   TermOp::Xor,
                              TermOp::Shl,  TermOp::LShr, TermOp::AShr, TermOp::Eq,   TermOp::Ult,
                              TermOp::Ule,  TermOp::Slt,  TermOp::Sle};

bool isHard(TermOp op) {
  return op >= TermOp::Mul && op <= TermOp::SRem;
}

/// Values at which arithmetic turns: 0, 1, -1, the ends of the signed range, small ones, or any.
uint64_t interesting(Random& random, unsigned width) {
  const uint64_t mask = widthMask(width);
  switch (random.below(7)) {
    case 0:
      return 0;
    case 1:
      return 1 & mask;
    case 2:
      return mask;
    case 3:
      return (mask >> 1) & mask;
    case 4:
      return ((mask >> 1) + 1) & mask;
    case 5:
      return random.below(70) & mask;
    default:
      return random.next() & mask;
  }
}

class TermsTest : public SolverTest {
 protected:
  /// `t` must have the value `expected` where the symbols have the values given, and no other.
  void expectValue(Term t, uint64_t expected, const std::vector<std::pair<Term, uint64_t>>& symbols) {
    const auto solver = make();
    for (const auto& [symbol, value] : symbols)
      solver->addEqualityIf(Solver::kTrue, symbol, terms_.constant(value, terms_.width(symbol)));
    const Lit equal = solver->condition(terms_.eq(t, terms_.constant(expected, terms_.width(t))));
    ASSERT_EQ(solver->check(std::vector<Lit>{equal}, budget_), Answer::Sat) << terms_.toString(t);
    for (const auto& [symbol, value] : symbols) ASSERT_EQ(solver->modelTerm(symbol), value);
    ASSERT_EQ(solver->check(std::vector<Lit>{-equal}, budget_), Answer::Unsat) << terms_.toString(t);
  }
};

TEST_P(TermsTest, BinaryOperations) {
  for (const TermOp op : kBinary)
    for (unsigned width = 1; width <= 64; ++width) {
      if (GetParam() == SolverKind::Z3 && width % 16 != 1) continue;
      const unsigned tries = isHard(op) && width > 16 ? 1 : 3;
      for (unsigned i = 0; i < tries; ++i) {
        Random random(static_cast<uint64_t>(op) * 1000 + width * 10 + i);
        const uint64_t x = interesting(random, width), y = interesting(random, width);
        const Term a = terms_.symbol(width), b = terms_.symbol(width);
        const uint64_t expected = evalBinary(op, x, y, width);
        SCOPED_TRACE(testing::Message()
                     << "op " << int(op) << " width " << width << " x " << x << " y " << y);
        expectValue(terms_.binary(op, a, b), expected, {{a, x}, {b, y}});
        // With a constant operand: folding in the table and in the gates must not change the meaning.
        expectValue(terms_.binary(op, a, terms_.constant(y, width)), expected, {{a, x}});
        expectValue(terms_.binary(op, terms_.constant(x, width), b), expected, {{b, y}});
        if (HasFatalFailure()) return;
      }
    }
}

TEST_P(TermsTest, ExtensionExtractConcatIte) {
  for (unsigned i = 0; i < rounds(300); ++i) {
    Random random(i);
    const unsigned width = 1 + static_cast<unsigned>(random.below(40));
    const uint64_t x = interesting(random, width), y = interesting(random, width), c = random.below(2);
    const Term a = terms_.symbol(width), b = terms_.symbol(width), choice = terms_.symbol(1);
    const unsigned wide = width + static_cast<unsigned>(random.below(64 - width + 1));
    const unsigned low = static_cast<unsigned>(random.below(width));
    const unsigned part = 1 + static_cast<unsigned>(random.below(width - low));
    SCOPED_TRACE(testing::Message() << "width " << width << " x " << x << " y " << y << " wide " << wide);
    expectValue(terms_.zext(a, wide), x, {{a, x}});
    expectValue(terms_.sext(a, wide), static_cast<uint64_t>(signExtend(x, width)) & widthMask(wide),
                {{a, x}});
    expectValue(terms_.extract(a, low, part), (x >> low) & widthMask(part), {{a, x}});
    if (2 * width <= 64) expectValue(terms_.concat(a, b), (x << width) | y, {{a, x}, {b, y}});
    expectValue(terms_.ite(choice, a, b), c ? x : y, {{a, x}, {b, y}, {choice, c}});
    if (HasFatalFailure()) return;
  }
}

TEST_P(TermsTest, EquationsAreSolved) {
  const auto solver = make();
  const Term x = terms_.symbol(32), y = terms_.symbol(32);
  // 3 * x + 7 == 1000 (mod 2^32) and x == y + y
  const Term left = terms_.binary(TermOp::Add, terms_.binary(TermOp::Mul, x, terms_.constant(3, 32)),
                                  terms_.constant(7, 32));
  solver->addClause({solver->condition(terms_.eq(left, terms_.constant(1000, 32)))});
  const Lit even = solver->newLit();
  solver->addEqualityIf(even, x, terms_.binary(TermOp::Add, y, y));
  ASSERT_EQ(solver->check({}, budget_), Answer::Sat);
  const uint64_t value = solver->modelTerm(x);
  EXPECT_EQ((value * 3 + 7) & widthMask(32), 1000u);
  EXPECT_EQ(value, 331u);  // 3 is invertible: the only solution, and it is odd
  EXPECT_EQ(solver->check(std::vector<Lit>{even}, budget_), Answer::Unsat);
  EXPECT_EQ(solver->core(), std::vector<Lit>{even});
}

TEST_P(TermsTest, ConditionsAreSharedAndConstantsKnown) {
  const auto solver = make();
  const Term x = terms_.symbol(8);
  const Term less = terms_.binary(TermOp::Ult, x, terms_.constant(10, 8));
  EXPECT_EQ(solver->condition(less), solver->condition(less));
  EXPECT_EQ(solver->condition(terms_.boolean(true)), Solver::kTrue);
  EXPECT_EQ(solver->condition(terms_.boolean(false)), -Solver::kTrue);
  const std::vector<Lit> both{solver->condition(less), solver->condition(terms_.logicalNot(less))};
  EXPECT_EQ(solver->check(both, budget_), Answer::Unsat);
  EXPECT_EQ(solver->modelTerm(terms_.symbol(8)), 0u);
}

TEST_P(TermsTest, DeepTermsNeedNoStack) {
  const auto solver = make();
  Term sum = terms_.symbol(8);
  const Term first = sum;
  // Z3 recurses over terms itself, so it gets a shallower one.
  const unsigned depth = GetParam() == SolverKind::Z3 ? 200 : 20000;
  for (unsigned i = 0; i < depth; ++i)
    sum = terms_.binary(TermOp::Xor, terms_.binary(TermOp::Add, sum, first), first);
  solver->addEqualityIf(Solver::kTrue, first, terms_.constant(0, 8));
  const Lit zero = solver->condition(terms_.eq(sum, terms_.constant(0, 8)));
  EXPECT_EQ(solver->check(std::vector<Lit>{zero}, budget_), Answer::Sat);
}

TEST(TermTable, PartsOfDeepTermsNeedNoStackAndMeanTheSame) {
  TermTable terms;
  const Term x = terms.symbol(32), y = terms.symbol(32);
  // Each is used twice by the next: as a tree it would have no end.
  Term t = x;
  for (unsigned i = 0; i < 200'000; ++i)
    t = i % 2 == 0 ? terms.ite(terms.binary(TermOp::Ult, t, y),
                               terms.binary(TermOp::Xor, t, terms.constant(i, 32)), t)
                   : terms.binary(TermOp::And, t, terms.binary(TermOp::Or, t, y));
  for (const auto& [low, width] : {std::pair{0U, 8U}, std::pair{3U, 16U}, std::pair{31U, 1U}}) {
    const Term part = terms.extract(t, low, width);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Random random(seed);
      const std::vector<uint64_t> values = {random.next() & widthMask(32), random.next() & widthMask(32)};
      EXPECT_EQ(terms.evaluate(part, values), (terms.evaluate(t, values) >> low) & widthMask(width));
    }
  }
}

HEDDLE_ALL_BACKENDS(TermsTest);

}  // namespace
}  // namespace heddle::test
