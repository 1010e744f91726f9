// The reader-writer lock of Linux (a counter that starts at BIAS), MPC paper, Table 2: T writers and READERS readers.
//
// As the paper's driver has it, an input says how many rounds a thread makes, at most K: each tries once to acquire, and
// releases what it acquired. No bug: a writer is alone, and readers see no half-done write.
//
// Paper, paths and seconds: T=2 K=5 1,910/2,108.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#ifndef READERS
#define READERS 0
#endif
#ifndef K
#define K 5
#endif
#define BIAS 0x00100000

int heddle_input_int(void);

static atomic_int word = BIAS;
static int first, second;

static int tryTake(int amount, int enough) {
  if (atomic_fetch_sub(&word, amount) >= enough) return 1;
  atomic_fetch_add(&word, amount);
  return 0;
}

static void *writeBoth(void *number) {
  int me = (int)(long)number;
  int rounds = heddle_input_int();
  if (rounds > K) return NULL;
  for (int round = 0; round < rounds; round++) {
    if (tryTake(BIAS, BIAS)) {
      first = me;
      second = me;
      atomic_fetch_add(&word, BIAS);
    }
  }
  return NULL;
}

#if READERS > 0
static void *readBoth(void *unused) {
  int rounds = heddle_input_int();
  if (rounds > K) return NULL;
  for (int round = 0; round < rounds; round++) {
    if (tryTake(1, 1)) {
      assert(first == second);
      atomic_fetch_add(&word, 1);
    }
  }
  return unused;
}
#endif

int main(void) {
  pthread_t threads[T + READERS];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, writeBoth, (void *)(k + 1));
#if READERS > 0
  for (int k = T; k < T + READERS; k++) pthread_create(&threads[k], NULL, readBoth, NULL);
#endif
  for (int k = 0; k < T + READERS; k++) pthread_join(threads[k], NULL);
  assert(first == second);
  return 0;
}
