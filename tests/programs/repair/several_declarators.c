// EXPECT: assert=violated race=violated (one declaration reads both)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int low;
static int high = 1;

static void *work(void *arg) {
  int bottom = low, top = high, span = top - bottom;
  low = bottom + 1;
  high = top + 1;
  assert(span == 1);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
