// EXPECT: assert=verified (one looks before, the other one after)
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *writer(void *unused) {
  x = 1;
  y = 1;
  return unused;
}

static void *early(void *unused) {
  assert(x == 1);
  return unused;
}

static void *late(void *unused) {
  assert(y == 0);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, NULL, late, NULL);
  pthread_join(c, NULL);
  pthread_create(&a, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, early, NULL);
  pthread_join(b, NULL);
  return 0;
}
