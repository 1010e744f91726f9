// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (released before the join)
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
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
