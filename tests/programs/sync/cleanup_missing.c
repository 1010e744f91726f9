// EXPECT: assert=verified race=verified deadlock=violated twin=cleanup_unlocks (the thread ends with the lock)
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void release(void *lock) {
  pthread_mutex_unlock(lock);
}

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  if (arg == 0) pthread_exit(0);
  release(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(x == 0 || x == 1);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
