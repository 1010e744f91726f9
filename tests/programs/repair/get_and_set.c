// EXPECT: assert=violated race=violated (two calls that belong together)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value;

static int get(void) {
  return value;
}

static void set(int now) {
  value = now;
}

static void *work(void *arg) {
  int old = get();
  set(old + 1);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(value == 2);
  return 0;
}
