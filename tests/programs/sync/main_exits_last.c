// EXPECT: assert=violated deadlock=verified twin=main_exits_after (pthread_exit in main lets the others go on)
#include <assert.h>
#include <pthread.h>

int x;

static void *work(void *arg) {
  assert(x == 0);
  return arg;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, work, 0);
  pthread_exit(0);
}
