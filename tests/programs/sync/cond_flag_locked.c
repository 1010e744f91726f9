// EXPECT: assert=verified race=verified deadlock=verified (the flag changes under the lock only)
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>

atomic_int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *produce(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, consume, 0);
  pthread_create(&t2, 0, produce, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
