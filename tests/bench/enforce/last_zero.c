// 15 writers derive their cell from their left neighbour, and one thread searches the last zero from the right. Cell 0 is never
// written, so the search ends inside of the array.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 15
#endif

static atomic_int cells[N + 1];

static void *search(void *unused) {
  int i = N;
  while (cells[i] != 0) i--;
  assert(i >= 0);
  return unused;
}

static void *derive(void *number) {
  long j = (long)number;
  cells[j] = cells[j - 1] + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], NULL, search, NULL);
  for (long j = 1; j <= N; j++) pthread_create(&threads[j], NULL, derive, (void *)j);
  for (int j = 0; j <= N; j++) pthread_join(threads[j], NULL);
  return 0;
}
