// T threads increment a counter N times each.
//
// LOCKED=1: no bug, and hard to prove, as every order of the T*N sections is a schedule. LOCKED=0: bug, updates get lost.
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 2
#endif
#ifndef LOCKED
#define LOCKED 1
#endif

static int counter;
#if LOCKED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *count(void *unused) {
  for (int i = 0; i < N; i++) {
#if LOCKED
    pthread_mutex_lock(&mutex);
#endif
    counter++;
#if LOCKED
    pthread_mutex_unlock(&mutex);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t threads[T];
  for (int k = 0; k < T; k++) pthread_create(&threads[k], NULL, count, NULL);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  assert(counter == T * N);
  return 0;
}
