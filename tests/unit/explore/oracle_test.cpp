// The forest reaches exactly what the exhaustive oracle reaches.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/random_program.h"

namespace heddle::test {
namespace {

std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string text;
  for (const std::string& s : a)
    if (!b.count(s)) text += "  " + s + "\n";
  return text;
}

void compare(const std::string& text, const Reached& forest, const Reached& oracle) {
  ASSERT_TRUE(oracle.complete) << oracle.problem << "\n" << text;
  EXPECT_TRUE(forest.complete) << forest.problem << "\n" << text;
  EXPECT_EQ("", difference(oracle.localPaths, forest.localPaths)) << "missed by the forest\n" << text;
  EXPECT_EQ("", difference(forest.localPaths, oracle.localPaths)) << "invented by the forest\n" << text;
  EXPECT_EQ(oracle.failures, forest.failures) << text;
  EXPECT_EQ(oracle.races, forest.races) << text;
  // The oracle looks at executions without a failure only; what the forest reports it has executed.
  EXPECT_TRUE(forest.deadlock || !oracle.deadlock) << text;
}

/// What can be compared when the paths of a thread are merged.
void compareOutcomes(const std::string& text, const Reached& merged, const Reached& oracle) {
  EXPECT_TRUE(merged.complete) << merged.problem << "\n" << text;
  EXPECT_EQ(oracle.failures, merged.failures) << text;
  EXPECT_EQ(oracle.races, merged.races) << text;
  EXPECT_TRUE(merged.deadlock || !oracle.deadlock) << text;
}

/// By a search of all joint states, which says of a state without an end what others see only in executions
/// that end.
void compareStates(const std::string& text, const Reached& states, const Reached& oracle,
                   const Reached& forest) {
  if (!states.complete) return;  // it refuses some programs; see StateSearch.MostRandomProgramsAreSearched
  EXPECT_EQ(oracle.failures, states.failures) << text;
  EXPECT_EQ(oracle.races, states.races) << text;
  EXPECT_TRUE(states.deadlock || !oracle.deadlock) << text;
  EXPECT_TRUE(forest.deadlock || !states.deadlock) << text;
}

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, ForestEqualsOracleOverAllInputs) {
  constexpr int kEach = 25;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram program = randomProgram(seed);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    const Reached forest = reachedByForest(program.text);
    compare(program.text, forest, oracle);
    compareOutcomes(program.text, reachedWithMerging(program.text), oracle);
    compareStates(program.text, reachedByStates(program.text, program.inputs), oracle, forest);
    compareStates(program.text, reachedByStates(program.text), oracle, forest);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 12));

/// A run that confirms a race is the first to take a side of a branch here, and nothing else asks how it goes
/// on.
TEST(RaceWitnesses, RunsThatConfirmARaceGoOnToTheirEnd) {
  for (const uint64_t seed : {1603, 3737, 7392}) {
    const RandomProgram program = randomProgram(seed);
    compare(program.text, reachedByForest(program.text), reachedByOracle(program.text, program.inputs));
  }
}

TEST_P(RandomPrograms, ATeamReachesTheSame) {
  constexpr int kEach = 8;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = 10'000 + static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram program = randomProgram(seed);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    compareOutcomes(program.text, reachedByTeam(program.text, 1), oracle);
    compareOutcomes(program.text, reachedByTeam(program.text, 3), oracle);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(RandomPrograms, AnAssumptionCutsItsOwnThreadAloneForEveryStrategy) {
  constexpr int kEach = 6;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = 20'000 + static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    const RandomProgram program = randomProgram(seed, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + program.text);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    const Reached forest = reachedByForest(program.text);
    compare(program.text, forest, oracle);
    compareOutcomes(program.text, reachedWithMerging(program.text), oracle);
    compareStates(program.text, reachedByStates(program.text, program.inputs), oracle, forest);
    for (const char* strategy : {"mpc-s2-fixed", "census", "con2colic"}) {
      const Reached reached = reachedBy(strategy, program.text);
      EXPECT_TRUE(reached.complete || strategy == std::string("con2colic")) << strategy << reached.problem;
      if (!reached.complete) continue;
      EXPECT_EQ(oracle.failures, reached.failures) << strategy;
    }
    const Inputs& inputs = program.inputs.back();
    constexpr size_t kMostPaths = 400;
    const Reached histories = reachedByOracleOfValues(program.text, inputs);
    if (histories.globalPaths.size() <= kMostPaths) {
      const Reached reached = reachedByValues(program.text, inputs);
      EXPECT_TRUE(reached.complete) << reached.problem;
      EXPECT_EQ(histories.failures, reached.failures) << "mcr";
    }
    if (testing::Test::HasFailure()) return;
  }
}

class RandomSyncPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomSyncPrograms, ForestEqualsOracleOverAllInputs) {
  constexpr int kEach = 12;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram program = randomSyncProgram(seed);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    const Reached forest = reachedByForest(program.text);
    compare(program.text, forest, oracle);
    compareStates(program.text, reachedByStates(program.text, program.inputs), oracle, forest);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSyncPrograms, testing::Range(0, 4));

class RandomSpinPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomSpinPrograms, AwaitsReachWhatBoundedLoopsReach) {
  constexpr int kEach = 12;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram program = randomSpinProgram(seed);
    const Reached forest = reachedByForest(program.text), merged = reachedWithMerging(program.text);
    const Reached bounded = reachedByOracle(program.bounded, program.inputs);
    ASSERT_TRUE(bounded.complete) << bounded.problem << "\n" << program.text;
    EXPECT_TRUE(forest.complete) << forest.problem << "\n" << program.text;
    EXPECT_EQ(bounded.failures, forest.failures) << program.text;
    EXPECT_EQ(bounded.races, forest.races) << program.text;
    EXPECT_TRUE(merged.complete) << merged.problem << "\n" << program.text;
    EXPECT_EQ(bounded.failures, merged.failures) << program.text;
    EXPECT_EQ(bounded.races, merged.races) << program.text;
    // Only an oracle that sets waiting threads aside can tell who waits for ever.
    const Reached endless = reachedByOracle(program.text, program.inputs);
    EXPECT_TRUE(forest.deadlock || !endless.deadlock) << program.text;
    EXPECT_TRUE(merged.deadlock || !endless.deadlock) << program.text;
    Reached expected = bounded;
    expected.deadlock = endless.deadlock;
    compareStates(program.text, reachedByStates(program.text, program.inputs), expected, merged);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSpinPrograms, testing::Range(0, 4));

}  // namespace
}  // namespace heddle::test
