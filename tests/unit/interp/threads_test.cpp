#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

constexpr const char* kCounter = R"(
#include <pthread.h>
#include <assert.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t1(void *a) {
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return (void *)5;
}
void *t2(void *a) {
  pthread_mutex_lock(&m);
  x = x + (int)(long)a;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  void *r;
  y = 3;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, (void *)4);
  pthread_join(a, &r);
  pthread_join(b, 0);
  assert(x == 5 && (long)r == 5 && y == 3);
  return 0;
}
)";

TEST(InterpThreads, RunsThreadsWithAMutex) {
  const ProgramRun r = run(kCounter);
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_TRUE(r.result.failures.empty()) << r.failure();
  EXPECT_TRUE(r.result.assumptions.empty());
  const std::vector<std::string> expected{"T0 create T1",  "T0 create T2",   "T1 lock m",
                                          "T1 read x = 0", "T1 write x = 1", "T1 unlock m"};
  const std::vector<std::string> trace = r.trace();
  for (const std::string& line : expected)
    EXPECT_NE(std::find(trace.begin(), trace.end(), line), trace.end()) << line;
  for (const std::string& line : trace)
    EXPECT_EQ(line.find(" y"), std::string::npos) << "y is not shared: " << line;
  EXPECT_GE(r.relearned, 1);
}

TEST(InterpThreads, EveryScheduleReplaysToTheSameTrace) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    RunOptions options;
    options.seed = seed;
    ProgramRun first = run(kCounter, options);
    ASSERT_EQ(first.result.outcome, RunOutcome::Quiescent);
    const auto trace = first.trace();
    RunOptions replay;
    replay.schedule = first.result.schedule.toString();
    runAgain(first, replay);
    EXPECT_EQ(first.trace(), trace) << replay.schedule;
    // And in the mode where everything is an event: the same values in the same order.
    replay.everything = true;
    runAgain(first, replay);
    std::vector<std::string> shared;
    for (const std::string& line : first.trace())
      if (std::find(trace.begin(), trace.end(), line) != trace.end()) shared.push_back(line);
    EXPECT_EQ(shared, trace) << replay.schedule;
  }
}

}  // namespace
}  // namespace heddle::test
