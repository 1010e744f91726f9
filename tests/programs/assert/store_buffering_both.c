// EXPECT: assert=violated twin=store_buffering (the threads may also see each other both)
#include <assert.h>
#include <pthread.h>

static int x, y, seen_by_1, seen_by_2;

static void *first(void *unused) {
  x = 1;
  seen_by_1 = y;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  seen_by_2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(seen_by_1 == 0 || seen_by_2 == 0);
  return 0;
}
