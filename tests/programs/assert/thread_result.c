// EXPECT: assert=verified (results come back through join and pthread_exit)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *square(void *number) {
  intptr_t n = (intptr_t)number;
  if (n == 3) pthread_exit((void *)(n * n));
  return (void *)(n * n);
}

int main(void) {
  pthread_t a, b;
  void *first, *second;
  pthread_create(&a, NULL, square, (void *)(intptr_t)3);
  pthread_create(&b, NULL, square, (void *)(intptr_t)4);
  pthread_join(a, &first);
  pthread_join(b, &second);
  assert((intptr_t)first + (intptr_t)second == 25);
  return 0;
}
