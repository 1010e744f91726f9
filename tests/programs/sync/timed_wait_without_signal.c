// EXPECT: assert=violated twin=timed_wait_looks_again (0 from a timed wait does not say that there was a signal)
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec limit = {1000000, 0};
  int error = 0;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (!ready) error = pthread_cond_timedwait(&c, &m, &limit);
  if (error == 0) assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
