// Maximal causality reduction: the paper's example, and the exhaustive oracle over histories of values.
#include <gtest/gtest.h>

#include "tests/unit/explore/random_program.h"

namespace heddle {
namespace {

using namespace heddle::test;

TEST(Mcr, RunsOncePerValueThatTheReadCanFind) {
  // MPC, Figure 1 with the input (0, 1): 15 interleavings, four values for the only read.
  const std::string text =
      "int x, y;\n"
      "void *t1(void *p) { int i = heddle_input_int(); x = i; x = 2; return p; }\n"
      "void *t2(void *p) { int j = heddle_input_int(); x = j; x = 4; return p; }\n"
      "void *t3(void *p) { if (x >= 100) assert(!\"reached\"); else y = 2; return p; }\n"
      "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
      "  pthread_create(&c, 0, t3, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; "
      "}\n";
  const Reached reached = reachedByValues(text, {{"T2", {1}}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.failures.empty());
  EXPECT_EQ(4u, reached.globalPaths.size());
  EXPECT_EQ(1u, reachedByValues(text, {{"T2", {100}}}).failures.size());
}

TEST(Mcr, AVerdictNamesThatInputsWereFixed) {
  Options options;
  options.strategy = "mcr";
  options.properties = {Property::Assert};
  const std::string text = "int main(void) { int i = heddle_input_int(); assert(i != 3); return 0; }\n";
  const Report report = check(text, options);
  EXPECT_EQ(Verdict::VerifiedWithinBounds, report.verdict) << report.problem;
  ASSERT_EQ(1u, report.bounds.size());
  EXPECT_EQ(BoundKind::InputValues, report.bounds.front().kind);
  options.strategy = "mcr T0=3";
  EXPECT_EQ(Verdict::Violated, check(text, options).verdict);
}

TEST(Mcr, WithWrongInputsTheBugOfM0IsOutOfReach) {
  Options options;
  options.properties = {Property::Assert};
  options.strategy = "mcr T1=0 T3=1";
  const Report wrong = checkBenchProgram("m.c", {"-DEXTRA=0"}, options);
  EXPECT_EQ(Verdict::VerifiedWithinBounds, wrong.verdict) << wrong.problem;
  EXPECT_TRUE(wrong.findings.empty());
  options.strategy = "mcr T1=3 T3=2";
  EXPECT_EQ(Verdict::Violated, checkBenchProgram("m.c", {"-DEXTRA=0"}, options).verdict);
}

class ValueHistories : public testing::TestWithParam<int> {};

TEST_P(ValueHistories, OfRandomProgramsEqualTheOracles) {
  constexpr int kEach = 8;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = 90'000 + static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    const RandomProgram program = randomProgram(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + program.text);
    const Inputs& inputs = program.inputs.back();
    const Reached oracle = reachedByOracleOfValues(program.text, inputs);
    ASSERT_TRUE(oracle.complete) << oracle.problem;
    constexpr size_t kMostPaths = 400;
    if (oracle.globalPaths.size() > kMostPaths) continue;
    const Reached reached = reachedByValues(program.text, inputs);
    EXPECT_TRUE(reached.complete) << reached.problem;
    EXPECT_EQ(oracle.globalPaths, reached.globalPaths);
    EXPECT_EQ(oracle.failures, reached.failures);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ValueHistories, testing::Range(0, 5));

}  // namespace
}  // namespace heddle
