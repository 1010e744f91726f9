// EXPECT: assert=verified race=verified deadlock=violated twin=cond_broadcast (wakes one of two)
#include <assert.h>
#include <pthread.h>

int open_gate;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *pass(void *arg) {
  pthread_mutex_lock(&m);
  while (!open_gate) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pass, 0);
  pthread_create(&b, 0, pass, 0);
  pthread_mutex_lock(&m);
  open_gate = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(open_gate == 1);
  return 0;
}
