// Work in a child: results come back, and crashes and hangs stay there.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "server/driver/child_process.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;

TEST(ChildProcess, ReturnsTheResultOfAnyLength) {
  const std::string text(300'000, 'x');  // longer than a pipe holds
  const ChildOutcome outcome = runInChild([&] { return text; }, milliseconds(0));
  EXPECT_TRUE(outcome.finished) << outcome.problem;
  EXPECT_EQ(outcome.result, text);
}

TEST(ChildProcess, MeasuresTheChildOnly) {
  const auto work = [] {
    std::vector<char> memory(200 << 20, 1);
    return std::string(memory[memory.size() / 2] == 1 ? "ok" : "");
  };
  const ChildOutcome big = runInChild(work, milliseconds(0));
  const ChildOutcome small = runInChild([] { return std::string("ok"); }, milliseconds(0));
  EXPECT_EQ(big.result, "ok");
  EXPECT_GE(big.peakRssMb, 200U);
  EXPECT_LT(small.peakRssMb + 150, big.peakRssMb);
  EXPECT_GT(big.cpuSeconds, 0.0);
}

TEST(ChildProcess, SurvivesACrash) {
  const ChildOutcome outcome = runInChild(
      []() -> std::string {
        std::signal(SIGABRT, SIG_DFL);
        std::abort();
      },
      milliseconds(0));
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.problem, "crashed (signal 6)");
}

TEST(ChildProcess, KillsWhatHangs) {
  const ChildOutcome outcome = runInChild(
      []() -> std::string {
        const std::atomic<bool> forever{true};
        while (forever.load()) {
        }
        return {};
      },
      milliseconds(50));
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.problem, "killed after 50 ms");
}

}  // namespace
}  // namespace heddle
