// The micro-benchmark of the MPC paper, Figure 9 and Table 4 (in its text: Figure 10).
//
// x reaches 2*N only when in each of the N rounds the second thread increments exactly between the first thread's write
// and its check, so that the check fails every time. Bug for every N >= 1; no inputs.
//
// Paper, paths and seconds of MPC for N = 1..5: 4/0.1, 6/0.4, 10/0.7, 18/1.6, 34/4.3; Con2colic has no answer from N = 4.
// The exact numbers of paths are 3, 7, 15, 31, 63.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static int x;

static void *checked(void *unused) {
  for (int i = 0; i < N; i++) {
    int mine = x;
    mine = mine + 1;
    x = mine;
    if (x == mine) x = 0;
  }
  return unused;
}

static void *plain(void *unused) {
  for (int i = 0; i < N; i++) x++;
  assert(x != 2 * N);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, checked, NULL);
  pthread_create(&b, NULL, plain, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
