// lastzero(N), known from the literature on partial order reduction: N writers, each deriving its cell from its left
// neighbour, and one reader that searches the last zero from the right.
//
// No bug: cell 0 is never written, so the search always ends inside the array. The number of traces grows as 2^N.
// ATOMIC=1: the cells are read with acquire and written with release, as in the literature on weak memory.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif

#if ATOMIC
#include <stdatomic.h>
static atomic_int cells[N + 1];
#define READ(i) atomic_load_explicit(&cells[i], memory_order_acquire)
#define WRITE(i, value) atomic_store_explicit(&cells[i], value, memory_order_release)
#else
static int cells[N + 1];
#define READ(i) cells[i]
#define WRITE(i, value) cells[i] = value
#endif

static void *search(void *unused) {
  int i = N;
  while (READ(i) != 0) {
    i--;
    assert(i >= 0);
  }
  return unused;
}

static void *derive(void *number) {
  long j = (long)number;
  WRITE(j, READ(j - 1) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], NULL, search, NULL);
  for (long j = 1; j <= N; j++) pthread_create(&threads[j], NULL, derive, (void *)j);
  for (int j = 0; j <= N; j++) pthread_join(threads[j], NULL);
  return 0;
}
