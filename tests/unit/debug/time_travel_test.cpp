#include "analysis/debug/time_travel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "analysis/compile/compile_command.h"
#include "analysis/debug/thread_view.h"
#include "tests/unit/debug/travel_support.h"

namespace heddle {
namespace {

using test::stateAt;
using test::Travelled;

constexpr const char* kLostUpdate = R"(
#include <assert.h>
#include <pthread.h>
int balance = 100;
static void *deposit(void *argument) {
  int amount = *(int *)argument;
  int before = balance;
  balance = before + amount;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int ten = 10, twenty = 20;
  pthread_create(&a, 0, deposit, &ten);
  pthread_create(&b, 0, deposit, &twenty);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 130);
  return 0;
}
)";

TEST(TimeTravel, GoesToAnyPositionAndFindsTheSameStateThere) {
  const Travelled t = Travelled::ofFirstFinding(kLostUpdate);
  ASSERT_TRUE(t.travel) << t.problem;
  TimeTravel& travel = *t.travel;
  std::vector<std::string> states;
  for (uint64_t i = 0; i <= travel.end(); ++i) states.push_back(stateAt(travel, i));
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    const uint64_t position = random() % (travel.end() + 1);
    ASSERT_EQ(stateAt(travel, position), states[position]) << position;
    ASSERT_EQ(travel.position(), position);
  }
}

TEST(TimeTravel, TheClaimIsWhereTheAssertionFails) {
  const Travelled t = Travelled::ofFirstFinding(kLostUpdate);
  ASSERT_TRUE(t.travel) << t.problem;
  ASSERT_FALSE(t.travel->claims().empty());
  EXPECT_TRUE(t.travel->claims().front().kind == Property::Assert ||
              t.travel->claims().front().kind == Property::Race);
}

TEST(TimeTravel, LocalsHaveTheirValuesThoughTheyAreInRegisters) {
  const Travelled t = Travelled::ofFirstFinding(kLostUpdate);
  ASSERT_TRUE(t.travel) << t.problem;
  bool seen = false;
  for (uint64_t i = 0; i < t.travel->end(); ++i) {
    const Stop& stop = t.travel->stops()[i];
    if (stop.statement == kNone || t.travel->program().place(stop.place).line != 8) continue;
    Execution& state = t.travel->at(i);
    const ThreadView view(state);
    const ValueView values(state);
    const auto before = view.variable(stop.thread, stop.depth - 1, "before");
    const auto amount = view.variable(stop.thread, stop.depth - 1, "amount");
    ASSERT_TRUE(before && amount);
    EXPECT_EQ(values.text(before->value).substr(0, 1), "1") << values.text(before->value);
    EXPECT_TRUE(values.text(amount->value) == "10" || values.text(amount->value) == "20");
    seen = true;
  }
  EXPECT_TRUE(seen);
}

/// Two threads that take turns at a lock: some 10,000 events.
std::unique_ptr<TimeTravel> tenThousandEvents() {
  constexpr const char* kTurns = R"(
#include <pthread.h>
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *turns(void *argument) {
  for (int i = 0; i < 1250; ++i) {
    pthread_mutex_lock(&lock);
    int before = counter;
    counter = before + 1;
    pthread_mutex_unlock(&lock);
  }
  return argument;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, turns, 0);
  pthread_create(&two, 0, turns, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter;
}
)";
  // What main does up to the joins.
  const Travelled whole = Travelled::of(kTurns, "T0*1");
  if (!whole.travel) return nullptr;
  std::string schedule = "T0*" + std::to_string(whole.travel->schedule().segments.front().operations);
  // One round after the other, of either thread; the first one begins with its start, the last one ends it.
  uint64_t all = 0;
  for (const ScheduleSegment& segment : whole.travel->schedule().segments)
    if (segment.thread == "T1") all += segment.operations;
  const uint64_t round = (all - 2) / 1250, first = all - 1 - 1249 * round;
  for (int i = 0; i < 1250; ++i)
    for (const char* thread : {" T1*", " T2*"}) schedule += thread + std::to_string(i == 0 ? first : round);
  Travelled turns = Travelled::of(kTurns, schedule);
  EXPECT_TRUE(turns.travel) << turns.problem;
  return std::move(turns.travel);
}

TEST(TimeTravel, TenThousandStepsBackAndForthFindEqualStates) {
  using Clock = std::chrono::steady_clock;
  const std::unique_ptr<TimeTravel> travel = tenThousandEvents();
  ASSERT_TRUE(travel);
  ASSERT_GE(travel->steps().size(), 10'000u);
  std::vector<size_t> states;
  const auto hashAt = [&](Execution& state) {
    std::string text;
    for (const ThreadState& thread : ThreadView(state).threads()) text += thread.name + thread.state;
    for (const auto& thread : state.threads()) text += std::to_string(thread->pc) + ',';
    const ValueView values(state);
    for (const NamedValue& global : ThreadView(state).globals(kMainThread)) text += values.text(global.value);
    return std::hash<std::string>()(text);
  };
  travel->walk(0, travel->end(), [&](uint64_t, Execution& state) {
    states.push_back(hashAt(state));
    return true;
  });
  ASSERT_EQ(states.size(), travel->end() + 1);
  // Steps of a user: mostly near where one stands, now and then far away. HEDDLE_TRAVEL_STEPS: how many.
  const char* asked = std::getenv("HEDDLE_TRAVEL_STEPS");
  const int count = asked ? std::atoi(asked) : 300;
  std::mt19937_64 random(7);
  std::vector<double> milliseconds;
  uint64_t position = travel->end() / 2;
  for (int i = 0; i < count; ++i) {
    const uint64_t by = random() % 8;
    if (random() % 10 == 0)
      position = random() % (travel->end() + 1);
    else
      position = random() % 2 ? std::min(travel->end(), position + by) : position - std::min(position, by);
    const auto begun = Clock::now();
    Execution& state = travel->at(position);
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begun).count());
    ASSERT_EQ(hashAt(state), states[position]) << position;
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%d steps over %zu events and %zu stops: p50 %.2f ms, p95 %.2f ms, most %.2f ms\n", count,
              travel->steps().size(), states.size() - 1, milliseconds[milliseconds.size() / 2],
              milliseconds[milliseconds.size() * 95 / 100], milliseconds.back());
}

}  // namespace
}  // namespace heddle
