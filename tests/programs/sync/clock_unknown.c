// EXPECT: assert=verified deadlock=verified (a clock that nobody can wait by is told, also where nobody has to wait)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

static void *work(void *unused) {
  const clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
  const struct timespec soon = {1, 0};
  assert(pthread_mutex_clocklock(&m, clock, &soon) == EINVAL);
  pthread_mutex_lock(&m);
  assert(pthread_cond_clockwait(&c, &m, clock, &soon) == EINVAL);
  pthread_mutex_unlock(&m);
  assert(pthread_rwlock_clockrdlock(&l, clock, &soon) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&l, clock, &soon) == EINVAL);
  assert(sem_clockwait(&s, clock, &soon) == -1 && errno == EINVAL);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  assert(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  sem_init(&s, 0, 1);
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
