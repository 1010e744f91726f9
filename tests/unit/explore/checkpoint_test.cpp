// An exploration that is stopped, by a budget or by a kill, goes on from its checkpoint: nothing is lost,
// nothing is explored twice.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/support/memory_watch.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// Two bugs behind inputs and orders that random runs hardly meet.
constexpr const char* kProgram =
    "int x, y, turn;\n"
    "void *t1(void *p) { int i = heddle_input_int(); x = i; if (y == 7) { turn = 1; x = 2 * i; } return p; "
    "}\n"
    "void *t2(void *p) { int j = heddle_input_int(); if (x == 1234) y = j; if (turn && x == 4000) y = 9; "
    "return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0);\n"
    "  assert(x != 2468); assert(y != 9); return 0; }\n";

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::temp_directory_path() /
                 ("heddle-checkpoint-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(directory_);
    path_ = (directory_ / "runs").string();
  }
  void TearDown() override { fs::remove_all(directory_); }

  Report explore(uint64_t steps = 2'000'000, const std::string& text = kProgram) {
    Options options;
    options.properties = {Property::Assert, Property::Deadlock};
    options.checkpoint = path_;
    return check(text, options, steps);
  }

  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  void setContent(const std::string& text) const {
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    out << text;
  }
  std::vector<std::string> runs() const {
    std::istringstream in(content());
    std::vector<std::string> lines;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) lines.push_back(line);
    return lines;
  }

  fs::path directory_;
  std::string path_;
};

std::set<std::string> messages(const Report& report) {
  std::set<std::string> out;
  for (const Finding& finding : report.findings)
    out.insert(std::to_string(finding.place.line) + finding.message);
  return out;
}

TEST_F(Checkpoint, KilledAnywhereItEndsAsIfItHadNotBeen) {
  const Report whole = explore();
  ASSERT_EQ(whole.verdict, Verdict::Violated);
  ASSERT_EQ(whole.properties.at(Property::Deadlock), Verdict::Verified);
  ASSERT_EQ(messages(whole).size(), 2U);
  const std::string all = content();
  const size_t runsOfAll = runs().size();
  EXPECT_EQ(whole.stats.executions, runsOfAll);
  for (size_t part = 0; part < 12; ++part) {
    SCOPED_TRACE("part " + std::to_string(part));
    setContent(all.substr(0, all.size() * part / 12));
    const Report again = explore();
    EXPECT_EQ(messages(again), messages(whole));
    EXPECT_EQ(again.properties, whole.properties);
    EXPECT_EQ(again.stats.executions, runs().size());
  }
}

TEST_F(Checkpoint, NothingIsExploredTwice) {
  explore();
  const size_t first = runs().size();
  const Report again = explore();
  EXPECT_EQ(again.verdict, Verdict::Violated);
  EXPECT_EQ(runs().size(), first) << "the second exploration had nothing left to run";
}

TEST_F(Checkpoint, StoppedBySteps) {
  const Report stopped = explore(300);
  EXPECT_NE(stopped.properties.at(Property::Deadlock), Verdict::Verified);
  const size_t first = runs().size();
  EXPECT_GT(first, 0U);
  const Report again = explore();
  EXPECT_EQ(messages(again).size(), 2U);
  EXPECT_EQ(again.properties.at(Property::Deadlock), Verdict::Verified);
  EXPECT_GT(runs().size(), first);
}

TEST_F(Checkpoint, OfAnotherProgramIsRefusedAndKept) {
  explore();
  const std::string before = content();
  const Report other = explore(2'000'000, std::string(kProgram) + "int unrelated;\n");
  EXPECT_EQ(other.verdict, Verdict::Unsupported);
  EXPECT_NE(other.problem.find("remove it or name another file"), std::string::npos) << other.problem;
  EXPECT_EQ(content(), before);
}

TEST_F(Checkpoint, WhatIsNoCheckpointIsRefusedAndKept) {
  setContent("int main(void) { return 0; }\n");
  const Report report = explore();
  EXPECT_EQ(report.verdict, Verdict::Unsupported);
  EXPECT_NE(report.problem.find("no checkpoint"), std::string::npos) << report.problem;
  EXPECT_EQ(content(), "int main(void) { return 0; }\n");
}

TEST(MemoryFlag, EndsAnExplorationAsIncomplete) {
  const Report report = check(kProgram, Options{}, 2'000'000,
                              Budget().withMemoryFlag(std::make_shared<std::atomic<bool>>(true)));
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  EXPECT_EQ(report.problem, "the memory limit is reached");
}

// Nodes of merged paths outnumber what is encoded between two looks at the budget.
constexpr const char* kLarge =
    "int x[64];\n"
    "void *t(void *p) { for (int i = 0; i < 300; i++) { int k = heddle_input_int(); if (k >= 0 && k < 64) "
    "x[k] += i; }\n"
    "  return p; }\n"
    "int main(void) { pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(&a[i], 0, t, 0);\n"
    "  for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(x[3] >= 0); return 0; }\n";

TEST(Budget, MayEndAnywhere) {
  for (const uint64_t steps : {500, 5'000, 20'000, 40'000}) {
    const Report report = check(kLarge, Options{}, steps);
    EXPECT_NE(report.properties.at(Property::Assert), Verdict::Verified) << steps;
    EXPECT_NE(report.properties.at(Property::Assert), Verdict::Violated) << steps;
  }
  // In the middle of the encoding, which counts no steps.
  for (const int milliseconds : {30, 60, 120, 240, 480}) {
    Budget budget = Budget::forDuration(std::chrono::milliseconds(milliseconds));
    const Report report = check(kLarge, Options{}, Budget::kUnlimitedSteps, budget);
    EXPECT_NE(report.properties.at(Property::Assert), Verdict::Verified) << milliseconds;
  }
}

TEST(MemoryFlag, GoesUpWithTheProcess) {
  const auto above = watchMemory(uint64_t{1} << 50);
  const auto below = watchMemory(1);
  below->wait(false);  // the test ends, or the watch is broken
  EXPECT_TRUE(*below);
  EXPECT_FALSE(*above);
  EXPECT_GT(residentMemory(), uint64_t{1} << 20);
}

}  // namespace
}  // namespace heddle::test
