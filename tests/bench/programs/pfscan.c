// pfscan (con2colic set), a small model of the parallel file scanner: a queue of paths under a lock, workers that take from
// it, a counter of the workers that are left, and totals that every worker adds to.
//
// Bugs: whether the queue is empty is decided before the lock is taken (so a worker takes from an empty queue), and the
// total is not locked. How many matches a file has is an input.
//
// Paper: con2colic out of memory; MPC 112 paths (found at 1 and 3), 219 s.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef FILES
#define FILES 2
#endif

int heddle_input_int(void);
void heddle_assume(int condition);

static int queued = FILES, taken, left = WORKERS;
static int matches, found[WORKERS];
static pthread_mutex_t queueLock = PTHREAD_MUTEX_INITIALIZER, leftLock = PTHREAD_MUTEX_INITIALIZER;

static void *scan(void *number) {
  long me = (long)number;
  for (int k = 0; k < FILES; k++) {
    if (queued == 0) break;
    pthread_mutex_lock(&queueLock);
    assert(queued > 0);
    queued--;
    taken++;
    pthread_mutex_unlock(&queueLock);
    int here = heddle_input_int();
    heddle_assume(0 <= here && here <= 100);
    if (here > 0) {
      found[me] += here;
      matches += here;
    }
  }
  pthread_mutex_lock(&leftLock);
  left--;
  pthread_mutex_unlock(&leftLock);
  return NULL;
}

int main(void) {
  pthread_t threads[WORKERS];
  for (long k = 0; k < WORKERS; k++) pthread_create(&threads[k], NULL, scan, (void *)k);
  for (int k = 0; k < WORKERS; k++) pthread_join(threads[k], NULL);
  int sum = 0;
  for (int k = 0; k < WORKERS; k++) sum += found[k];
  assert(left == 0);
  assert(matches == sum);
  return 0;
}
