// EXPECT: assert=violated (a checker sees one of two writes)
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *set(void *unused) {
  a = 1;
  b = -1;
  return unused;
}

static void *check(void *unused) {
  int x = a, y = b;
  assert((x == 0 && y == 0) || (x == 1 && y == -1));
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, set, NULL);
  pthread_create(&t[1], NULL, set, NULL);
  pthread_create(&t[2], NULL, check, NULL);
  pthread_create(&t[3], NULL, check, NULL);
  for (int k = 0; k < 4; k++) pthread_join(t[k], NULL);
  return 0;
}
