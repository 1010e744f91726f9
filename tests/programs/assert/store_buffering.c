// EXPECT: assert=verified (in sequential consistency at least one thread sees the other's write)
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
  assert(seen_by_1 == 1 || seen_by_2 == 1);
  return 0;
}
