// EXPECT: race=violated assert=violated (two files change one total without a lock)
#include <assert.h>
#include <pthread.h>

#include "total.h"

int total;

static void *one(void *unused) {
  int seen = total;
  total = seen + 1;
  return unused;
}

static void *two(void *unused) {
  add_two();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total == 3);
  return 0;
}
