// What any single run shows to a detector by happens-before, in a program with far more schedules than can be
// explored: T threads of N rounds, and main reads what they write.
#include <pthread.h>

#ifndef T
#define T 4
#endif
#ifndef N
#define N 50
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, total;

static void *worker(void *unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++) pthread_create(&threads[i], 0, worker, 0);
#ifdef INSIDE
  pthread_mutex_lock(&lock);
#endif
  int seen = total;
#ifdef INSIDE
  pthread_mutex_unlock(&lock);
#endif
  for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
  return seen < 0;
}
