// The engine under memory models: beside published answers, beside the enumerator, and replayed.
#include <gtest/gtest.h>

#include "tests/weak/compare.h"

namespace heddle::weak {
namespace {

bool matches(const Outcome& pattern, const Outcome& outcome) {
  for (size_t i = 0; i < outcome.size(); ++i)
    if (pattern[i] >= 0 && pattern[i] != outcome[i]) return false;
  return true;
}

class Litmus : public ::testing::TestWithParam<Model> {};

TEST_P(Litmus, IsAsPublished) {
  const Model model = GetParam();
  size_t allowed = 0;
  for (const LitmusTest& test : litmusTests()) {
    const EngineAnswer answer = askEngine(test.program, model);
    EXPECT_EQ(answer.problem, "") << test.name;
    std::string schedule;
    for (const auto& [outcome, found] : answer.schedules)
      if (matches(test.outcome, outcome)) schedule = found;
    EXPECT_EQ(!schedule.empty(), test.isAllowed[static_cast<int>(model)]) << test.name;
    if (schedule.empty()) continue;
    ++allowed;
    const Outcome again = replayOutcome(test.program, schedule);
    EXPECT_TRUE(!again.empty() && matches(test.outcome, again)) << test.name << ": " << schedule;
  }
  EXPECT_EQ(allowed == 0, model == Model::Sc);
}

INSTANTIATE_TEST_SUITE_P(Models, Litmus, ::testing::ValuesIn(kModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(Litmus, TableIsLargeAndItsNamesDiffer) {
  std::set<std::string> names;
  for (const LitmusTest& test : litmusTests()) names.insert(test.name);
  EXPECT_EQ(names.size(), litmusTests().size());
  EXPECT_GE(names.size(), 120u);
}

TEST(WeakRandom, OutcomesAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program = randomLitmus(seed, false);
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakRandom, RacesAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program = randomLitmus(seed, true);
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakReplay, AReadThatTheModelForbidsIsNotFollowed) {
  // Message passing with release and acquire, and a schedule that wants the stale value all the same.
  LitmusProgram program;
  program.locations = 2;
  program.registers = 2;
  for (const LitmusTest& test : litmusTests())
    if (test.name == "MP+rel+acq") program = test.program;
  const EngineAnswer strong = askEngine(program, Model::C11);
  for (const auto& [outcome, schedule] : strong.schedules)
    EXPECT_EQ(replayOutcome(program, schedule), outcome) << schedule;
  LitmusProgram relaxed = program;
  for (auto& thread : relaxed.threads)
    for (Operation& op : thread) op.order = Order::Relaxed;
  const EngineAnswer weak = askEngine(relaxed, Model::C11);
  const Outcome stale = {1, 0, 1, 1};
  ASSERT_TRUE(weak.schedules.contains(stale));
  EXPECT_EQ(replayOutcome(relaxed, weak.schedules.at(stale)), stale);
  EXPECT_TRUE(replayOutcome(program, weak.schedules.at(stale)).empty());
}

}  // namespace
}  // namespace heddle::weak
