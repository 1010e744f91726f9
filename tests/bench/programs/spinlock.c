// A spin lock over compare-and-swap, MPC paper, Table 2, and as the peers' benchmarks have it (K=0: spin until the lock is had).
//
// As the paper's driver has it, an input says how many rounds a thread makes, at most K: each tries once to acquire, and
// releases what it acquired. No bug: who has the lock is alone.
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

int heddle_input_int(void);

static atomic_int locked;
static int owner;

static int tryAcquire(void) {
  int expected = 0;
  return atomic_compare_exchange_strong(&locked, &expected, 1);
}

static void release(int me) {
  assert(owner == me);
  atomic_store(&locked, 0);
}

static void *contend(void *number) {
  int me = (int)(long)number;
#if K > 0
  int rounds = heddle_input_int();
  if (rounds > K) return NULL;
  for (int round = 0; round < rounds; round++) {
    if (tryAcquire()) {
      owner = me;
      release(me);
    }
  }
#else
  while (!tryAcquire()) {
  }
  owner = me;
  release(me);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, contend, (void *)(k + 1));
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  return 0;
}
