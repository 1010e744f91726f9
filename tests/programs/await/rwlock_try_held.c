// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=rwlock_try_released (main joins who tries for ever to read what main writes)
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *poll(void *unused) {
  while (pthread_rwlock_tryrdlock(&lock) != 0) {
  }
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_wrlock(&lock);
  pthread_create(&thread, 0, poll, 0);
  pthread_join(thread, 0);
  pthread_rwlock_unlock(&lock);
  return 0;
}
