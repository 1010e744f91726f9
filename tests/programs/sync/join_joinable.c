// EXPECT: assert=verified misuse=verified (one can wait for a joinable thread)
#include <assert.h>
#include <pthread.h>

static void *work(void *arg) {
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_attr_t detached;
  assert(pthread_attr_init(&detached) == 0);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_JOINABLE);
  pthread_create(&t, &detached, work, 0);
  pthread_attr_destroy(&detached);
  pthread_join(t, 0);
  return 0;
}
