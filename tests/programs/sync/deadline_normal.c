// EXPECT: assert=verified-within-bounds race=verified-within-bounds (what is above a second is carried)
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 500000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_nsec -= 1000000000;
    deadline.tv_sec++;
  }
  pthread_mutex_lock(&m);
  int result = pthread_cond_timedwait(&c, &m, &deadline);
  assert(result == 0 || result == 110);
  pthread_mutex_unlock(&m);
  return 0;
}
