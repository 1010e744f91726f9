// EXPECT: assert=violated twin=two_bugs_ordered (two different assertions fail, in different schedules)
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
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, early, NULL);
  pthread_create(&c, NULL, late, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
