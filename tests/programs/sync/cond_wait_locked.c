// EXPECT: assert=verified misuse=verified deadlock=verified (waits with the mutex, which the signal holds as well)
#include <assert.h>
#include <pthread.h>

int ready, data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *produce(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
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
