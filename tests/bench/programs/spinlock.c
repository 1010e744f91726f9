// A spin lock over compare-and-swap, MPC paper, Table 2 (T threads, K attempts), and as the peers' benchmarks have it
// (K=0: spin until the lock is had).
//
// No bug: who has the lock is alone. With K > 0 a thread gives up after K failed attempts.
//
// Paper, paths and seconds: T=2 K=5 522/66, T=3 K=3 1,357/208.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#ifndef K
#define K 5
#endif

static atomic_int locked;
static int owner;

static int acquire(void) {
  int expected = 0;
#if K > 0
  for (int attempt = 0; attempt < K; attempt++) {
    if (atomic_compare_exchange_strong(&locked, &expected, 1)) return 1;
    expected = 0;
  }
  return 0;
#else
  while (!atomic_compare_exchange_strong(&locked, &expected, 1)) expected = 0;
  return 1;
#endif
}

static void *contend(void *number) {
  int me = (int)(long)number;
  if (acquire()) {
    owner = me;
    assert(owner == me);
    atomic_store(&locked, 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, contend, (void *)(k + 1));
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  return 0;
}
