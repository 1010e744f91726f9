// EXPECT: assert=verified misuse=violated twin=join_once (a thread can be joined once)
#include <assert.h>
#include <pthread.h>

static void *work(void *arg) {
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(pthread_join(t, 0) == 0);
  pthread_join(t, 0);
  return 0;
}
