// EXPECT: assert=violated race=verified deadlock=violated twin=cond_flag_locked (flag and signal fit between the test and the wait)
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>

atomic_int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *produce(void *arg) {
  ready = 1;
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
