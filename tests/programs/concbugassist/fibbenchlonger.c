// EXPECT: assert=violated (perfect alternation reaches the largest Fibonacci number)
#include <assert.h>
#include <pthread.h>

static int i = 1, j = 1;

static void *first(void *unused) {
  for (int k = 0; k < 5; k++) i = i + j;
  return unused;
}

static void *second(void *unused) {
  for (int k = 0; k < 5; k++) j = j + i;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(i < 144 && j < 144);
  return 0;
}
