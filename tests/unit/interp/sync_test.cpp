// Semaphores, condition variables, barriers, read-write locks and atomic sections in the machine.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/interp/core/thread_state.h"
#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

TEST(ConditionState, ASignalWakesOneOfThoseThatWait) {
  ConditionState c;
  EXPECT_FALSE(c.canWake(1, 9));
  c.signals = {5};
  EXPECT_TRUE(c.canWake(1, 9));
  EXPECT_FALSE(c.canWake(6, 9)) << "it came before the wait";
  c.wake(1, 9);
  EXPECT_FALSE(c.canWake(2, 10)) << "it is used up";
}

TEST(ConditionState, SignalsAreDividedSoThatAllWhoCanWakeDo) {
  // The first to wake could have had either signal; the second only the earlier one, for it waited until
  // then.
  ConditionState c;
  c.signals = {3, 7};
  c.wake(1, 8);
  EXPECT_TRUE(c.canWake(2, 9));
  c.wake(2, 9);
  EXPECT_FALSE(c.canWake(2, 10));
  // Nor does a later signal help one who woke before it.
  ConditionState d;
  d.signals = {3};
  d.wake(1, 4);
  d.signals.push_back(5);
  EXPECT_TRUE(d.canWake(2, 6));
  d.wake(2, 6);
  EXPECT_FALSE(d.canWake(2, 7));
}

TEST(ConditionState, ABroadcastWakesAllThatWait) {
  ConditionState c;
  c.lastBroadcast = 5;
  c.wake(1, 6);
  EXPECT_TRUE(c.canWake(2, 7));
  EXPECT_FALSE(c.canWake(5, 7));
}

TEST(InterpSync, ValuesFollowTheStandard) {
  const ProgramRun r = run(R"(
    #include <assert.h>
    #include <errno.h>
    #include <pthread.h>
    #include <semaphore.h>
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    int main(void) {
      sem_t s;
      int v = -1;
      assert(!sem_init(&s, 0, 2) && !sem_wait(&s) && !sem_trywait(&s));
      assert(sem_trywait(&s) == -1 && errno == EAGAIN);
      assert(!sem_post(&s) && !sem_getvalue(&s, &v) && v == 1);
      assert(!sem_destroy(&s));
      assert(!pthread_rwlock_rdlock(&l) && !pthread_rwlock_tryrdlock(&l));
      assert(pthread_rwlock_trywrlock(&l) == EBUSY);
      assert(!pthread_rwlock_unlock(&l) && !pthread_rwlock_unlock(&l) && !pthread_rwlock_wrlock(&l));
      assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_rdlock(&l) == EDEADLK);
      assert(!pthread_rwlock_unlock(&l) && !pthread_rwlock_destroy(&l));
      pthread_barrier_t b;
      assert(pthread_barrier_init(&b, 0, 0) == EINVAL && !pthread_barrier_init(&b, 0, 1));
      assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
      assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD && !pthread_barrier_destroy(&b));
      pthread_spinlock_t p;
      assert(!pthread_spin_init(&p, 0) && !pthread_spin_lock(&p) && pthread_spin_trylock(&p) == EBUSY);
      assert(!pthread_spin_unlock(&p) && !pthread_spin_destroy(&p));
      return 0;
    })");
  EXPECT_EQ(r.failure(), "") << r.failureLine();
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_EQ(r.result.unsupported, "");
}

TEST(InterpSync, C11ThreadsAreThreads) {
  const ProgramRun r = run(R"(
    #include <assert.h>
    #include <threads.h>
    mtx_t m; cnd_t c; int ready;
    int work(void *arg) { mtx_lock(&m); ready = 1; cnd_signal(&c); mtx_unlock(&m); return *(int *)arg + 1; }
    int main(void) {
      thrd_t t; int seven = 7, result = 0;
      assert(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
      assert(thrd_create(&t, work, &seven) == thrd_success);
      mtx_lock(&m);
      assert(mtx_trylock(&m) == thrd_busy);
      while (!ready) cnd_wait(&c, &m);
      mtx_unlock(&m);
      assert(thrd_join(t, &result) == thrd_success && result == 8);
      return 0;
    })");
  EXPECT_EQ(r.failure(), "") << r.failureLine();
  EXPECT_EQ(r.result.unsupported, "");
}

TEST(InterpSync, OnceRunsOnceAndKeysAreOfAThread) {
  const ProgramRun r = run(R"(
    #include <assert.h>
    #include <pthread.h>
    #include <stdlib.h>
    pthread_once_t o = PTHREAD_ONCE_INIT; pthread_key_t key; int made, freed;
    void release(void *p) { freed += *(int *)p; free(p); }
    void make(void) { made++; assert(!pthread_key_create(&key, release)); }
    void *t(void *p) {
      pthread_once(&o, make);
      assert(!pthread_getspecific(key));
      int *own = malloc(sizeof *own); *own = 3;
      assert(!pthread_setspecific(key, own) && pthread_getspecific(key) == own);
      return p; }
    int main(void) {
      pthread_once(&o, make); pthread_once(&o, make);
      pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0);
      assert(made == 1 && freed == 3);
      assert(!pthread_key_delete(key) && pthread_setspecific(key, &made));
      return 0; })");
  EXPECT_EQ(r.failure(), "") << r.failureLine();
  EXPECT_EQ(r.result.unsupported, "");
}

TEST(InterpSync, ThreadsThatWaitForEverAreStuck) {
  const char* text = R"(
    #include <semaphore.h>
    sem_t s;
    int main(void) { sem_init(&s, 0, 0); sem_wait(&s); })";
  const ProgramRun r = run(text);
  EXPECT_TRUE(r.result.stuck);
  ASSERT_EQ(r.result.blocked.size(), 1u);
  EXPECT_STREQ(r.result.blocked[0].rule->object, "semaphore");
}

TEST(InterpSync, NothingComesBetweenTheEventsOfAnAtomicSection) {
  const char* text = R"(
    #include <pthread.h>
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    int x, y;
    void *t(void *p) { __VERIFIER_atomic_begin(); x = 1; y = 1; x = 2; __VERIFIER_atomic_end(); return p; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int a = x, b = y; pthread_join(h, 0); return a + b; })";
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    RunOptions options;
    options.seed = seed;
    const ProgramRun r = run(text, options);
    const auto trace = r.trace();
    const auto first = std::find(trace.begin(), trace.end(), "T1 write x = 1");
    ASSERT_LT(first + 2, trace.end());
    EXPECT_EQ(first[1], "T1 write y = 1");
    EXPECT_EQ(first[2], "T1 write x = 2");
  }
}

TEST(InterpSync, ASectionThatCannotGoOnIsUndone) {
  const char* text = R"(
    #include <assert.h>
    #include <pthread.h>
    void __VERIFIER_assume(int);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    int x = 5;
    void *t(void *p) {
      __VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(x == 2); __VERIFIER_atomic_end(); return p; }
    int main(void) {
      pthread_t h; pthread_create(&h, 0, t, 0);
      assert(x == 5);
      x = 6;
      assert(x == 6); })";
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    RunOptions options;
    options.seed = seed;
    const ProgramRun r = run(text, options);
    EXPECT_EQ(r.failure(), "") << r.failureLine();
    EXPECT_FALSE(r.result.stuck);
  }
}

TEST(InterpSync, MisuseIsAFailure) {
  EXPECT_EQ(run("#include <semaphore.h>\nsem_t s; int main(void) { sem_post(&s); }").failure(),
            "use of semaphore 's', which was never initialized");
  EXPECT_EQ(run(R"(
    #include <pthread.h>
    pthread_mutex_t m; pthread_cond_t c;
    int main(void) { pthread_cond_wait(&c, &m); })")
                .failure(),
            "wait on 'c' without holding 'm'");
  EXPECT_EQ(run(R"(
    #include <pthread.h>
    pthread_mutex_t m;
    int main(void) { pthread_mutex_destroy(&m); pthread_mutex_lock(&m); })")
                .failure(),
            "use of mutex 'm', which was destroyed");
  EXPECT_EQ(run(R"(
    #include <pthread.h>
    pthread_rwlock_t l;
    int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_destroy(&l); })")
                .failure(),
            "destruction of 'l' while it is locked");
}

}  // namespace
}  // namespace heddle::test
