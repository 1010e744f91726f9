// ainc(T) for K = 1, binc(T) for K = 2, cinc(T) for K = 3, known from the literature on weak memory: T threads add one to
// each of K counters by relaxed fetch-and-add.
//
// No bug. Each order of the additions to each counter is an execution: (T!)^K.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 4
#endif
#ifndef K
#define K 1
#endif

static atomic_int counters[K];

static void *add(void *unused) {
  for (int k = 0; k < K; k++) atomic_fetch_add_explicit(&counters[k], 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < T; i++) pthread_join(threads[i], NULL);
  for (int k = 0; k < K; k++) assert(atomic_load_explicit(&counters[k], memory_order_relaxed) == T);
  return 0;
}
