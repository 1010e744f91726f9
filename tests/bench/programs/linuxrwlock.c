// The reader-writer lock of Linux (one atomic word, biased by the number of possible readers), MPC paper, Table 2:
// T threads, each tries at most K times to read and then at most K times to write.
//
// No bug: a writer is alone, and readers see no half-done write.
//
// Paper, paths and seconds: T=2 K=5 1,910/2,108.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#ifndef K
#define K 5
#endif
#define BIAS 0x00100000

static atomic_int word = BIAS;
static int first, second;

static int tryRead(void) {
  for (int attempt = 0; attempt < K; attempt++) {
    if (atomic_fetch_sub(&word, 1) > 0) return 1;
    atomic_fetch_add(&word, 1);
  }
  return 0;
}

static int tryWrite(void) {
  for (int attempt = 0; attempt < K; attempt++) {
    if (atomic_fetch_sub(&word, BIAS) == BIAS) return 1;
    atomic_fetch_add(&word, BIAS);
  }
  return 0;
}

static void *use(void *number) {
  int me = (int)(long)number;
  if (tryRead()) {
    assert(first == second);
    atomic_fetch_add(&word, 1);
  }
  if (tryWrite()) {
    first = me;
    second = me;
    atomic_fetch_add(&word, BIAS);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, use, (void *)(k + 1));
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  return 0;
}
