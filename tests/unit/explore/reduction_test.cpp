// What a search of joint states does not interleave (docs/reduction.md), and that nothing is lost by it.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>

#include "analysis/explore/states/access_records.h"
#include "analysis/explore/states/waiters.h"
#include "analysis/interp/core/thread_state.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// Two threads that do this, with m and n to lock; `end` comes after they were joined.
std::string two(const std::string& first, const std::string& second, const std::string& end = "") {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y, z;\n"
         "void *f(void *p) { " +
         first + " return p; }\nvoid *g(void *p) { " + second +
         " return p; }\n"
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
         " pthread_join(a, 0); pthread_join(b, 0); " +
         end + " return 0; }\n";
}

const char kSection[] = "pthread_mutex_lock(&m); x++; y = y + x; z = x + y; pthread_mutex_unlock(&m); ";

TEST(Reduction, ACriticalSectionIsOneStep) {
  const std::string twice = std::string(kSection) + kSection + kSection;
  const Reached reached = reachedByStates(two(twice, twice, "assert(x == 6);"), {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.failures.empty() && reached.races.empty());
  // Three sections each: which of them are done, and how.
  EXPECT_LT(reached.states, 60u);
  EXPECT_EQ(reachedByStates(two(twice, twice, "assert(x == 5);"), {{}}).failures.size(), 1u);
}

TEST(Reduction, WhatOneThreadTouchesWithoutTheLockIsARace) {
  const Reached reached = reachedByStates(two(kSection, std::string(kSection) + "z = 1;"), {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.races.size(), 1u);
}

TEST(Reduction, WhoPollsIsNotFollowedRoundAndRound) {
  // Until a run has shown that somebody stores, a load of `go` seems to be nobody else's.
  const Reached reached = reachedByStates(
      "#include <stdatomic.h>\natomic_int go, n; void *f(void *p) { go = 1; return p; }\n"
      "void *g(void *p) { pthread_t a; pthread_create(&a, 0, f, 0); while (!go) n = 0; pthread_join(a, 0);\n"
      " return p; }\n"
      "int main(void) { pthread_t b; pthread_create(&b, 0, g, 0); pthread_join(b, 0); return 0; }\n",
      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_LT(reached.eagerSteps, 50u);
}

TEST(Reduction, WhatIsTouchedUnderOtherLocksIsARace) {
  const Reached reached = reachedByStates(two("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
                                              "pthread_mutex_lock(&n); x = 2; pthread_mutex_unlock(&n);"),
                                          {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.races.size(), 1u);
}

TEST(Reduction, ARaceBehindAReleaseIsMet) {
  // The second access comes only after another thread has been let on by the first one's post.
  const Reached reached = reachedByStates(
      "#include <semaphore.h>\nsem_t s; int x; void *f(void *p) { sem_post(&s); x = 1; return p; }\n"
      "void *g(void *p) { sem_wait(&s); x = 2; return p; }\n"
      "int main(void) { sem_init(&s, 0, 0); pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, "
      "0, g, 0);\n"
      " pthread_join(a, 0); pthread_join(b, 0); x = 3; return 0; }\n",
      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.races.size(), 1u);
}

TEST(Reduction, WhoTriesSeesTheLockHeld) {
  const Reached reached =
      reachedByStates(two("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
                          "if (pthread_mutex_trylock(&m)) y = 1; else { x = 2; pthread_mutex_unlock(&m); }",
                          "assert(y == 0);"),
                      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.failures.size(), 1u);
  EXPECT_TRUE(reached.races.empty());
}

TEST(Reduction, LocksInOppositeOrdersAreADeadlock) {
  const std::string one =
      "pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); "
      "pthread_mutex_unlock(&m);";
  const std::string other =
      "pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); "
      "pthread_mutex_unlock(&n);";
  EXPECT_TRUE(reachedByStates(two(one, other), {{}}).deadlock);
  const Reached same = reachedByStates(two(one, one), {{}});
  EXPECT_TRUE(same.complete) << same.problem;
  EXPECT_FALSE(same.deadlock);
}

TEST(Reduction, AnAssumptionThatFailsHidesNothingBeforeIt) {
  const Reached reached =
      reachedByStates(two("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); "
                          "x = 2; heddle_assume(0);",
                          "pthread_mutex_lock(&m); assert(x != 1); pthread_mutex_unlock(&m);"),
                      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.failures.size(), 1u);
}

TEST(Reduction, LocksJoinsAndCreationsKeepApart) {
  Names names;
  const ThreadId a = names.thread({0, 1, 1}), b = names.thread({0, 2, 1}), c = names.thread({a, 1, 2});
  const Resource x{Resource::Kind::Memory, 7};
  const auto apart = [&](AccessRecord one, AccessRecord other) {
    AccessRecords records(names);
    records.lockSet({3});
    records.lockSet({3, 5});
    records.lockSet({5});
    records.add(x, one);
    const bool isContested = records.add(x, other);
    EXPECT_EQ(records.isKeptApart(x), !isContested);
    return !isContested;
  };
  EXPECT_FALSE(apart({a, true}, {b, false}));
  EXPECT_TRUE(apart({a, false}, {b, false}));
  EXPECT_TRUE(apart({a, true}, {a, true}));
  EXPECT_TRUE(apart({a, true, 1}, {b, true, 2}));   // {3} and {3, 5}
  EXPECT_FALSE(apart({a, true, 1}, {b, true, 3}));  // {3} and {5}
  EXPECT_TRUE(apart({a, true}, {b, true, 0, maskOf(a)}));
  EXPECT_FALSE(apart({a, true}, {b, true, 0, maskOf(c)}));
  EXPECT_TRUE(apart({0, true}, {a, true}));  // before it is created
  EXPECT_TRUE(apart({0, true}, {c, true}));  // before its creator is
  EXPECT_FALSE(apart({0, true, 0, 0, maskOf(a)}, {c, true}));
  EXPECT_TRUE(apart({0, true, 0, 0, maskOf(b)}, {c, true}));
}

/// What the machine knows of a condition variable.
struct Machine {
  ConditionState condition;
  std::array<std::optional<uint64_t>, 5> since = {};
  uint64_t now = 0;
};

TEST(Reduction, WaitersWakeAsInTheMachine) {
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    std::mt19937 random(seed);
    Machine machine;
    Waiters waiters;
    for (int i = 0; i < 30; ++i) {
      ++machine.now;
      const ThreadId thread = random() % 5;
      std::optional<uint64_t>& since = machine.since[thread];
      switch (random() % 8) {
        case 0:
          machine.condition.lastBroadcast = machine.now;
          waiters.broadcast();
          break;
        case 1:
        case 2:
          machine.condition.signals.push_back(machine.now);
          waiters.signal();
          break;
        case 3:
          if (since) waiters.leave(thread);
          since.reset();
          break;
        default:
          if (!since) {
            since = machine.now;
            waiters.wait(thread);
          } else if (machine.condition.canWake(*since, machine.now)) {
            machine.condition.wake(*since, machine.now);
            waiters.wake(thread);
            since.reset();
          }
      }
      for (ThreadId t = 0; t < 5; ++t) {
        if (!machine.since[t]) continue;
        ASSERT_EQ(waiters.canWake(t), machine.condition.canWake(*machine.since[t], machine.now + 1))
            << "seed " << seed << " step " << i << " thread " << t;
      }
    }
  }
}

TEST(Reduction, WhoIsReleasedStaysSo) {
  Waiters waiters;
  waiters.wait(1);
  waiters.signal();
  waiters.wait(2);
  EXPECT_TRUE(waiters.isReleased(1));
  EXPECT_FALSE(waiters.canWake(2));
  waiters.wait(3);
  waiters.signal();
  // One signal for two: who takes it is open.
  EXPECT_TRUE(waiters.canWake(2) && waiters.canWake(3));
  EXPECT_FALSE(waiters.isReleased(2) || waiters.isReleased(3));
  waiters.wake(3);
  EXPECT_FALSE(waiters.canWake(2));
  waiters.broadcast();
  waiters.wake(1);
  waiters.wake(2);
  EXPECT_TRUE(waiters.empty());
}

}  // namespace
}  // namespace heddle::test
