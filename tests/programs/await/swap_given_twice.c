// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (each gets one)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *taker(void *unused) {
  int expected;
  do expected = 1;
  while (!atomic_compare_exchange_strong(&state, &expected, 2));
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, taker, 0);
  state = 1;
  while (state != 2) {
  }
  state = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
