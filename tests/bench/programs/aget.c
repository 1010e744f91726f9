// aget (con2colic set), a small model of the published bug: downloading threads note their progress under a lock for the
// total and without one for their own part, while the handler that saves the state reads both without a lock.
//
// Bug: the saved total does not agree with the saved parts. Sizes of the chunks are inputs.
//
// Paper: con2colic 6 runs, 23.6 s; MPC 4 paths, 13 s.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

int heddle_input_int(void);
void heddle_assume(int condition);

static int total, parts[WORKERS];
static int savedTotal, savedParts[WORKERS];
static pthread_mutex_t totalLock = PTHREAD_MUTEX_INITIALIZER;

static void *download(void *number) {
  long me = (long)number;
  int bytes = heddle_input_int();
  heddle_assume(0 < bytes && bytes <= 1024);
  parts[me] += bytes;
  pthread_mutex_lock(&totalLock);
  total += bytes;
  pthread_mutex_unlock(&totalLock);
  return NULL;
}

static void *save(void *unused) {
  savedTotal = total;
  for (int k = 0; k < WORKERS; k++) savedParts[k] = parts[k];
  int sum = 0;
  for (int k = 0; k < WORKERS; k++) sum += savedParts[k];
  assert(savedTotal == sum);
  return unused;
}

int main(void) {
  pthread_t threads[WORKERS + 1];
  for (long k = 0; k < WORKERS; k++) pthread_create(&threads[k], NULL, download, (void *)k);
  pthread_create(&threads[WORKERS], NULL, save, NULL);
  for (int k = 0; k <= WORKERS; k++) pthread_join(threads[k], NULL);
  return 0;
}
