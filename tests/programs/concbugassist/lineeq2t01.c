// EXPECT: assert=violated (two terms of a sum share a scratch variable)
#include <assert.h>
#include <pthread.h>

static int t, s;

static void *first(void *unused) {
  t = 2 * 3;
  s = s + t;
  return unused;
}

static void *second(void *unused) {
  t = 5 * 7;
  s = s + t;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(s == 2 * 3 + 5 * 7);
  return 0;
}
