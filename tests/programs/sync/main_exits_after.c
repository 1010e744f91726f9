// EXPECT: assert=verified deadlock=verified (pthread_exit in main after the join)
#include <assert.h>
#include <pthread.h>

int x;

static void *work(void *arg) {
  assert(x == 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  x = 1;
  pthread_exit(0);
}
