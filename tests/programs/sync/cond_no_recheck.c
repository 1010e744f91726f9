// EXPECT: assert=violated race=verified deadlock=verified twin=cond_recheck (the item may be gone when the woken thread runs)
#include <assert.h>
#include <pthread.h>

int items, closed;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *take(void *arg) {
  pthread_mutex_lock(&m);
  if (items == 0 && !closed) pthread_cond_wait(&c, &m);
  if (!closed || items > 0) {
    assert(items > 0);
    items--;
  }
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_mutex_lock(&m);
  items = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
