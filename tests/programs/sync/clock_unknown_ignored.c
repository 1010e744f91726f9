// EXPECT: assert=violated twin=clock_unknown (the lock is never taken: its clock is not one to wait by)
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *unused) {
  const struct timespec late = {1000000000, 0};
  if (pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &late) == 0) {
    value++;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(value == 1);
  return 0;
}
