// reorder, known from the software verification competition: SETTERS threads set a
// and then b, CHECKERS threads look whether they saw a without b.
//
// SAFE=0: bug, as a checker may look between the two writes; hard for tools that sample schedules when there are many
// threads. SAFE=1: the checkers look at b first, and then a must be set; no bug.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 5
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif
#ifndef SAFE
#define SAFE 0
#endif

static int a, b;

static void *set(void *unused) {
  a = 1;
  b = -1;
  return unused;
}

static void *check(void *unused) {
#if SAFE
  int seenB = b;
  int seenA = a;
  assert(seenB == 0 || (seenA == 1 && seenB == -1));
#else
  int seenA = a;
  int seenB = b;
  assert((seenA == 0 && seenB == 0) || (seenA == 1 && seenB == -1));
#endif
  return unused;
}

int main(void) {
  pthread_t threads[SETTERS + CHECKERS];
  for (int k = 0; k < SETTERS; k++) pthread_create(&threads[k], NULL, set, NULL);
  for (int k = 0; k < CHECKERS; k++) pthread_create(&threads[SETTERS + k], NULL, check, NULL);
  for (int k = 0; k < SETTERS + CHECKERS; k++) pthread_join(threads[k], NULL);
  return 0;
}
