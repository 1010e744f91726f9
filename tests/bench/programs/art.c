// art2 to art5 of the con2colic paper, modelled after its words ("a new assertion every time the number of threads is
// increased by one"): N threads, where thread k can only take its step after thread k-1 took its own, each with an input
// that must fit. Every thread has an assertion that fails after k-1 interferences; all of them are bugs.
//
// Paper: every branch covered and the bugs found for 2 to 5 threads.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

int heddle_input_int(void);

static int stage, sum;

static void *step(void *number) {
  int k = (int)(long)number;
  int mine = heddle_input_int();
  if (stage == k - 1) {
    if (mine == 10 * k) {
      stage = k;
      sum += mine;
    }
    assert(!(k > 1 && sum == 5 * k * (k + 1)));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long k = 0; k < N; k++) pthread_create(&threads[k], NULL, step, (void *)(k + 1));
  for (int k = 0; k < N; k++) pthread_join(threads[k], NULL);
  return 0;
}
