// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=timedlock_released (tries again whenever its time is over)
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = {1, 0};

static void *poll(void *unused) {
  while (pthread_mutex_timedlock(&lock, &soon) != 0) {
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, poll, 0);
  pthread_join(thread, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
