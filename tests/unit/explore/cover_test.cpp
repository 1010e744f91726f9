// cover(): each side of each branch is covered by a schedule that replays, cannot be, or is open; compared
// with the exhaustive oracle.
#include "analysis/pipeline/cover.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/random_program.h"

namespace heddle::test {
namespace {

CoverReport covered(const std::string& text, const Budget& budget = Budget().withSteps(2'000'000),
                    const Options& options = {}) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(text);
  snapshot.command = commandFromFlags(snapshot.path, {});
  return cover(snapshot, options, budget);
}

const CoverSide* sideAt(const CoverReport& report, uint32_t line, const std::string& text) {
  for (const CoverSide& side : report.sides)
    if (side.place.line == kHeaderLines + line && side.text == text && !side.isFailure) return &side;
  return nullptr;
}

// The branch of T1 in line 4 needs the input and what the other thread writes; line 5 contradicts line 4.
const char* const kBoth =
    "int x;\n"
    "void *t1(void *p) {\n"
    "  int i = heddle_input_int();\n"
    "  if (i == 77 && x == 1) {\n"
    "    if (i == 78) x = 2;\n"
    "  }\n"
    "  return p; }\n"
    "void *t2(void *p) { x = 1; return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

TEST(Cover, ASideThatNeedsAnInputAndAScheduleIsCoveredAndAContradictionCannotBe) {
  const CoverReport report = covered(kBoth);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.count(SideState::Open), 0u);
  EXPECT_EQ(report.count(SideState::CannotBe), 1u);
  const CoverSide* never = sideAt(report, 5, "true");
  ASSERT_TRUE(never);
  EXPECT_EQ(never->state, SideState::CannotBe);
  const CoverSide* inner = sideAt(report, 5, "false");
  ASSERT_TRUE(inner);
  ASSERT_EQ(inner->state, SideState::Covered);
  EXPECT_NE(report.suite[inner->by.front()].schedule.find("T1=77"), std::string::npos);
}

TEST(Cover, WhatASpentBudgetLeavesIsOpenAndNeverImpossible) {
  const CoverReport report = covered(kBoth, Budget().withSteps(40));
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.count(SideState::CannotBe), 0u);
  EXPECT_GT(report.count(SideState::Open), 0u);
  EXPECT_FALSE(report.limits.empty());
}

TEST(Cover, BehindABoundNothingIsImpossible) {
  Options options;
  options.unroll = 3;
  const CoverReport report = covered(
      "int main(void) { int n = heddle_input_int(), i = 0; while (i < n) i++;\n"
      "  if (i == 10) return 1; return 0; }\n",
      Budget().withSteps(2'000'000), options);
  const CoverSide* far = sideAt(report, 2, "true");
  ASSERT_TRUE(far);
  EXPECT_EQ(far->state, SideState::Open);
  EXPECT_FALSE(report.complete);
  ASSERT_FALSE(report.limits.empty());
  EXPECT_NE(report.limits.front().find("3"), std::string::npos) << report.limits.front();
}

TEST(Cover, FailuresAreEntriesAndNoSides) {
  const CoverReport report = covered(
      "int x;\n"
      "void *t(void *p) { x = 1; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0);\n"
      "  assert(x == 0); pthread_join(a, 0); return 0; }\n");
  const auto failing = std::find_if(report.suite.begin(), report.suite.end(),
                                    [](const SuiteEntry& entry) { return !entry.fails.empty(); });
  ASSERT_NE(failing, report.suite.end());
  EXPECT_EQ(failing->fails, "assertion 'x == 0' failed");
  EXPECT_EQ(report.count(SideState::Covered), 1u) << "that it holds";
}

TEST(Cover, EveryEntryReplaysAndNoneIsNeedless) {
  const CoverReport report = covered(kBoth);
  for (const SuiteEntry& entry : report.suite) EXPECT_TRUE(replayed(kBoth, entry.schedule).ok);
  for (uint32_t entry = 0; entry < report.suite.size(); ++entry)
    EXPECT_TRUE(std::any_of(report.sides.begin(), report.sides.end(), [&](const CoverSide& side) {
      return side.by == std::vector<uint32_t>{entry};
    })) << entry;
}

class CoverOfRandomPrograms : public testing::TestWithParam<int> {};

TEST_P(CoverOfRandomPrograms, IsTheOracles) {
  constexpr int kEach = 8;
  size_t compared = 0;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = 91'000 + static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    const RandomProgram program = randomProgram(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + program.text);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    ASSERT_TRUE(oracle.complete) << oracle.problem;
    const CoverReport report = covered(program.text);
    if (report.count(SideState::Open) != 0) continue;
    // "LINE:COLUMN=1": what some execution does. Sides are covered by replays, so none is invented.
    const std::set<std::string> known = branchSides(oracle.localPaths);
    for (const CoverSide& side : report.sides) {
      if (side.isFailure) continue;
      const std::string name = std::to_string(side.place.line) + ":" + std::to_string(side.place.column) +
                               "=" + (side.text == "true" ? "1" : "0");
      if (known.count(name) == 0) continue;
      ++compared;
      EXPECT_EQ(side.state, SideState::Covered) << name;
    }
  }
  EXPECT_GT(compared, 10u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CoverOfRandomPrograms, testing::Range(0, 4));

}  // namespace
}  // namespace heddle::test
