// EXPECT: assert=verified (both threads have the same lock)
#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *increment(void *lock) {
  pthread_mutex_lock(lock);
  counter++;
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, &locks[0]);
  pthread_create(&b, NULL, increment, &locks[0]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
