// EXPECT: assert=verified-within-bounds (who calls pthread_mutex_init calls __wrap_pthread_mutex_init, as with --wrap)
#include <assert.h>
#include <pthread.h>

static int fails;
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  return fails ? -1 : __real_pthread_mutex_init(mutex, attributes);
}

int main(void) {
  pthread_mutex_t mutex;
  assert(pthread_mutex_init(&mutex, 0) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  fails = 1;
  assert(pthread_mutex_init(&mutex, 0) == -1);
  return 0;
}
