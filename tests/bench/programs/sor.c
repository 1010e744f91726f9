// sor (con2colic set), a small model of successive over-relaxation: each worker owns a part of the grid and needs the border
// of its neighbour from the sweep before; they wait for each other through plain counters.
//
// Bugs: with WAIT=0 nothing keeps a worker from running ahead, so it reads borders of a wrong sweep. WAIT=1 announces a
// finished sweep and waits for the neighbour's; no bug.
//
// Paper: con2colic 8 runs, 0.8 s; MPC 4 paths (found at 1, 2 and 4), 1.2 s.
#include <assert.h>
#include <pthread.h>

#ifndef SWEEPS
#define SWEEPS 2
#endif
#ifndef WAIT
#define WAIT 0
#endif

static int border[2][SWEEPS + 1];  // by worker and sweep: 0 until written
#if WAIT
static int finished[2];
#endif

static void *relax(void *number) {
  long me = (long)number, other = 1 - me;
  for (int sweep = 1; sweep <= SWEEPS; sweep++) {
    int mine = border[me][sweep - 1];
    int theirs = border[other][sweep - 1];
    assert(mine == sweep - 1);
    assert(theirs == sweep - 1);
    border[me][sweep] = (mine + theirs) / 2 + 1;
#if WAIT
    finished[me] = sweep;
    while (finished[other] < sweep) {
    }
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long k = 0; k < 2; k++) pthread_create(&threads[k], NULL, relax, (void *)k);
  for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
  assert(border[0][SWEEPS] == SWEEPS && border[1][SWEEPS] == SWEEPS);
  return 0;
}
