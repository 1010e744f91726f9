// art2 to art5 of the con2colic paper, modelled after its words ("a new assertion every time the number of threads is
// increased by one"): N threads, each with an input that must fit, take their steps one after the other. Each thread beyond
// the first has an assertion of its own in the text; that of thread k fails, and needs k - 1 interferences.
//
// Paper: every branch covered and the bugs found for 2 to 5 threads.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

int heddle_input_int(void);

static int stage;

static void *first(void *unused) {
  int mine = heddle_input_int();
  if (mine == 10) stage = 1;
  return unused;
}

static void *second(void *unused) {
  int mine = heddle_input_int();
  if (stage == 1) {
    if (mine == 20) stage = 2;
    assert(mine != 21);
  }
  return unused;
}

#if N >= 3
static void *third(void *unused) {
  int mine = heddle_input_int();
  if (stage == 2) {
    if (mine == 30) stage = 3;
    assert(mine != 31);
  }
  return unused;
}
#endif

#if N >= 4
static void *fourth(void *unused) {
  int mine = heddle_input_int();
  if (stage == 3) {
    if (mine == 40) stage = 4;
    assert(mine != 41);
  }
  return unused;
}
#endif

#if N >= 5
static void *fifth(void *unused) {
  int mine = heddle_input_int();
  if (stage == 4) {
    if (mine == 50) stage = 5;
    assert(mine != 51);
  }
  return unused;
}
#endif

typedef void *(*step)(void *);

int main(void) {
  static const step steps[] = {first, second,
#if N >= 3
                               third,
#endif
#if N >= 4
                               fourth,
#endif
#if N >= 5
                               fifth,
#endif
  };
  pthread_t threads[N];
  for (int k = 0; k < N; k++) pthread_create(&threads[k], NULL, steps[k], NULL);
  for (int k = 0; k < N; k++) pthread_join(threads[k], NULL);
  return 0;
}
