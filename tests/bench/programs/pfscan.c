// pfscan (con2colic set), a small model of the parallel file scanner: main puts files into a queue under a lock, workers take
// them, look for matches and count these.
//
// Bug: the counter of matches has no lock, so it can change between a worker's increment and its look at the result. That
// takes two workers with a file each in which they find something, and a second worker that comes between: four interferences.
//
// Paper: con2colic finds it with 4 interferences, only with unsat cores and duplicate freedom; MPC 112 paths (found at 1 and
// 3), 219 s.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef FILES
#define FILES 2
#endif

int heddle_input_int(void);

static int occupied, closed, matches;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static void put(void) {
  pthread_mutex_lock(&queue);
  occupied++;
  pthread_mutex_unlock(&queue);
}

/// The number of the file, from one; 0 when there is nothing to do.
static int take(void) {
  pthread_mutex_lock(&queue);
  int last = occupied;
  if (last > 0) occupied = last - 1;
  pthread_mutex_unlock(&queue);
  return last;
}

static void *worker(void *unused) {
  for (int k = 0; k < FILES; k++) {
    int file = take();
    if (file == 0) {
      if (closed) break;
      continue;
    }
    int found = heddle_input_int();
    if (found > 0) {
      int before = matches + 1;
      matches = before;
      assert(matches == before);
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int k = 0; k < WORKERS; k++) pthread_create(&threads[k], NULL, worker, NULL);
  for (int k = 0; k < FILES; k++) put();
  closed = 1;
  for (int k = 0; k < WORKERS; k++) pthread_join(threads[k], NULL);
  return 0;
}
