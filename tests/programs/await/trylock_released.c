// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (released before the join)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *poll(void *unused) {
  while (pthread_mutex_trylock(&lock) != 0) {
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, poll, 0);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
