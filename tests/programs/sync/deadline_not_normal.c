// EXPECT: assert=violated race=verified-within-bounds twin=deadline_normal (half a second is added, the fraction may be above a second, and nobody looks)
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 500000000;
  pthread_mutex_lock(&m);
  int result = pthread_cond_timedwait(&c, &m, &deadline);
  assert(result == 0 || result == 110);
  pthread_mutex_unlock(&m);
  return 0;
}
