// The sequential lock of Linux: MPC paper, Table 2, and with more writers and readers. ROUNDS=0: each thread tries K times and
// ends when it has succeeded. ROUNDS=1, as the paper's driver has it: an input says how many rounds a thread makes, at most K,
// whether they succeed or not.
//
// A writer makes the sequence odd by compare-and-swap, writes both words and makes it even again; a reader that saw the
// same even number before and after must have seen both words of one write. No bug.
//
// Paper, paths and seconds: T=3 K=3 3,877/782.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 2
#endif
#ifndef K
#define K 1
#endif

#ifndef ROUNDS
#define ROUNDS 0
#endif

int heddle_input_int(void);

static atomic_int sequence, first, second;

static int attempts(void) {
#if ROUNDS
  int wanted = heddle_input_int();
  return wanted > K ? 0 : wanted;
#else
  return K;
#endif
}

static void *writeBoth(void *number) {
  int value = (int)(long)number;
  for (int left = attempts(); left > 0; left--) {
    int seen = atomic_load(&sequence);
    if (seen & 1) continue;
    if (!atomic_compare_exchange_strong(&sequence, &seen, seen + 1)) continue;
    atomic_store(&first, value);
    atomic_store(&second, value);
    atomic_store(&sequence, seen + 2);
    if (!ROUNDS) break;
  }
  return NULL;
}

static void *readBoth(void *unused) {
  for (int left = attempts(); left > 0; left--) {
    int before = atomic_load(&sequence);
    if (before & 1) continue;
    int a = atomic_load(&first);
    int b = atomic_load(&second);
    if (atomic_load(&sequence) != before) continue;
    assert(a == b);
    if (!ROUNDS) break;
  }
  return unused;
}

int main(void) {
  pthread_t threads[WRITERS + READERS];
  for (long k = 0; k < WRITERS; k++) pthread_create(&threads[k], NULL, writeBoth, (void *)(k + 1));
  for (int k = 0; k < READERS; k++) pthread_create(&threads[WRITERS + k], NULL, readBoth, NULL);
  for (int k = 0; k < WRITERS + READERS; k++) pthread_join(threads[k], NULL);
  return 0;
}
