// EXPECT: assert=violated race=violated deadlock=verified twin=once (two may find that nobody has made it)
#include <assert.h>
#include <pthread.h>

int made, value;

static void make(void) {
  made++;
  value = 7;
}

static void *use(void *arg) {
  if (made == 0) make();
  assert(value == 7);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, use, 0);
  pthread_create(&t2, 0, use, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(made == 1);
  return 0;
}
