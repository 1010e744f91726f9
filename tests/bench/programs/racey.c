// racey, MPC paper, Table 1: a program made of races. T threads meet at a home-made barrier, looking at most CHECKS + 1 times
// whether the others are there. Then each makes LOOPS rounds: it takes a cell that its value chooses, mixes it in, and puts the
// result into the cell that the new value chooses. So nearly every order of two accesses changes what comes out.
//
// Bug: the program can produce the signature SIGNATURE. SIGNATURE=0 cannot be produced: the assertion holds.
//
// Paper, paths and seconds: 432 with each strategy; MCR 1,133, s1 268, s2 460. LOOPS=0 leaves the barrier alone, which is what
// the paper's tool counts there: its driver makes the barrier's counter shared and symbolic and no cell.
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 3
#endif
#ifndef CHECKS
#define CHECKS 10
#endif
#ifndef LOOPS
#define LOOPS 2
#endif
#ifndef SIGNATURE
#define SIGNATURE 852
#endif
#define CELLS 4

static int missing = T;
static unsigned cells[CELLS] = {3, 5, 7, 11};
static unsigned signatures[T];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned mix(unsigned a, unsigned b) { return (a + b * 389) % 1021 + 1; }

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  int left = --missing;
  pthread_mutex_unlock(&mutex);
  if (left == 0) return;
  for (int checks = 0; checks <= CHECKS; checks++)
    if (missing == 0) return;
}

static void *body(void *number) {
  int me = (int)(long)number;
  barrier();
  unsigned value = (unsigned)(me + 1);
  for (int round = 0; round < LOOPS; round++) {
    value = mix(value, cells[value % CELLS]);
    unsigned to = value % CELLS;
    value = mix(value, cells[to]);
    cells[to] = value;
  }
  signatures[me] = value;
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, body, (void *)k);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  unsigned all = signatures[0];
  for (int k = 1; k < T; k++) all = mix(all, signatures[k]);
  assert(all != SIGNATURE);
  return 0;
}
