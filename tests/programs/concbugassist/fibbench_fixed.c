// EXPECT: assert=verified (the twin of fibbench.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int i = 1, j = 1;

static void *first(void *unused) {
  for (int k = 0; k < 4; k++) i = i + j;
  return unused;
}

static void *second(void *unused) {
  for (int k = 0; k < 4; k++) j = j + i;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(b, NULL);
  assert(i < 55 && j < 55);
  return 0;
}
