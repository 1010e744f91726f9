// EXPECT: assert=verified misuse=violated twin=cond_wait_locked (waits without holding the mutex)
#include <assert.h>
#include <pthread.h>

int ready, data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  if (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) pthread_cond_wait(&c, &m);
  return arg;
}

static void *produce(void *arg) {
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  pthread_cond_signal(&c);
  assert(data == 0);
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
