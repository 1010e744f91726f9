// casrot(T), known from the literature on weak memory: thread i of T turns the value i - 1 into i by a relaxed
// compare-exchange.
//
// No bug: the value only grows, by one at a time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 5
#endif

static atomic_int turn;

static void *pass(void *number) {
  const int mine = (int)(long)number;
  int expected = mine - 1;
  atomic_compare_exchange_strong_explicit(&turn, &expected, mine, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++) pthread_create(&threads[i], NULL, pass, (void *)(i + 1));
  for (int i = 0; i < T; i++) pthread_join(threads[i], NULL);
  const int last = atomic_load_explicit(&turn, memory_order_relaxed);
  assert(last >= 0 && last <= T);
  return 0;
}
