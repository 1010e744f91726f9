// N dining philosophers.
//
// ORDERED=0: each takes the left fork first; all can end up with one fork: deadlock. ORDERED=1: the last one takes the
// forks the other way round; no deadlock.
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef ORDERED
#define ORDERED 0
#endif

static pthread_mutex_t forks[N];

static void *dine(void *number) {
  long left = (long)number, right = (left + 1) % N;
#if ORDERED
  if (right < left) {
    left = right;
    right = N - 1;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int k = 0; k < N; k++) pthread_mutex_init(&forks[k], NULL);
  for (long k = 0; k < N; k++) pthread_create(&threads[k], NULL, dine, (void *)k);
  for (int k = 0; k < N; k++) pthread_join(threads[k], NULL);
  return 0;
}
