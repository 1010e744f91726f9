// EXPECT: assert=violated race=verified deadlock=violated twin=cond_flag (the signal may come before the wait)
#include <assert.h>
#include <pthread.h>

int ready, data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  assert(data == 5);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *produce(void *arg) {
  pthread_mutex_lock(&m);
  data = 5;
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
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
