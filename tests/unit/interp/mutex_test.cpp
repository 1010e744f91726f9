// Mutex types, misuse, try-locks and blocked threads.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

TEST(InterpMutex, TypesFollowTheStandard) {
  const ProgramRun r = run(R"(
    #define _GNU_SOURCE
    #include <assert.h>
    #include <errno.h>
    #include <pthread.h>
    pthread_mutex_t rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, check, plain = PTHREAD_MUTEX_INITIALIZER;
    int main(void) {
      assert(!pthread_mutex_lock(&rec) && !pthread_mutex_lock(&rec) && !pthread_mutex_trylock(&rec));
      assert(!pthread_mutex_unlock(&rec) && !pthread_mutex_unlock(&rec) && !pthread_mutex_unlock(&rec));
      assert(pthread_mutex_unlock(&rec) == EPERM);
      pthread_mutexattr_t a;
      pthread_mutexattr_init(&a);
      pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
      pthread_mutex_init(&check, &a);
      pthread_mutexattr_destroy(&a);
      assert(pthread_mutex_unlock(&check) == EPERM);
      assert(!pthread_mutex_lock(&check) && pthread_mutex_lock(&check) == EDEADLK);
      assert(pthread_mutex_trylock(&check) == EBUSY);
      assert(!pthread_mutex_trylock(&plain) && pthread_mutex_trylock(&plain) == EBUSY);
      return 0;
    })");
  EXPECT_EQ(r.failure(), "") << r.failureLine();
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
}

TEST(InterpMutex, MisuseIsAFailure) {
  const ProgramRun r = run(R"(
    #include <pthread.h>
    struct { int x; pthread_mutex_t l[2]; } s;
    int main(void) { pthread_mutex_unlock(&s.l[1]); })");
  EXPECT_EQ(r.failure(), "unlock of 's.l[1]', which this thread does not hold");
  EXPECT_EQ(r.result.failures[0].kind, FailureKind::Misuse);
  const ProgramRun destroyed = run(R"(
    #include <pthread.h>
    pthread_mutex_t m;
    int main(void) { pthread_mutex_lock(&m); pthread_mutex_destroy(&m); })");
  EXPECT_EQ(destroyed.failure(), "destruction of 'm' while it is locked");
}

TEST(InterpMutex, BlockedThreadsAreReportedAtQuiescence) {
  const char* text = R"(
    #include <pthread.h>
    pthread_mutex_t a, b;
    void *t(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0);
      pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
      pthread_join(h, 0); })";
  ProgramRun r = run(text);
  EXPECT_TRUE(r.result.blocked.empty());
  // T0 up to lock a, then T1 up to lock b: each waits for the other.
  RunOptions options;
  options.schedule = "T0*5 T1*3";
  runAgain(r, options);
  ASSERT_EQ(r.result.blocked.size(), 2u);
  EXPECT_EQ(r.result.blocked[0].kind, EventKind::Lock);
  EXPECT_EQ(r.result.blocked[1].kind, EventKind::Lock);
  EXPECT_NE(r.result.blocked[0].cells, r.result.blocked[1].cells);
}

TEST(InterpMutex, ANormalMutexLockedTwiceBlocksItsThread) {
  const ProgramRun r =
      run("#include <pthread.h>\npthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); "
          "pthread_mutex_lock(&m); }");
  ASSERT_EQ(r.result.blocked.size(), 1u);
  EXPECT_EQ(r.result.blocked[0].kind, EventKind::Lock);
}

TEST(InterpMutex, ATryLockSeesWhoHoldsTheMutex) {
  const char* text = R"(
    #include <pthread.h>
    pthread_mutex_t m; int busy;
    void *t(void *x) { if (pthread_mutex_trylock(&m)) busy = 1; else pthread_mutex_unlock(&m); return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
      pthread_join(h, 0); return busy; })";
  ProgramRun r = run(text);
  RunOptions options;
  options.schedule = "T0*5 T1*9";
  runAgain(r, options);
  auto trace = r.trace();
  EXPECT_TRUE(std::count(trace.begin(), trace.end(), "T1 trylock (busy) m")) << testing::PrintToString(trace);
  EXPECT_TRUE(std::count(trace.begin(), trace.end(), "T1 write busy = 1")) << testing::PrintToString(trace);
  options.schedule = "T0*3 T1*9";
  runAgain(r, options);
  trace = r.trace();
  EXPECT_TRUE(std::count(trace.begin(), trace.end(), "T1 lock m")) << testing::PrintToString(trace);
}

}  // namespace
}  // namespace heddle::test
