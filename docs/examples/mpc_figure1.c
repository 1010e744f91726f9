// EXPECT: assert=violated race=violated deadlock=verified
// Why: with i >= 100 or j >= 100 and the check between the two writes
//
// Figure 1 of "Concurrency Verification with Maximal Path Causality" (MPC, ESEC/FSE 2018): the error needs a schedule and an
// input together. With the inputs 0 and 0 no schedule shows it.
#include <assert.h>
#include <pthread.h>

#include "heddle.h"

static int x, y;

static void *t1(void *unused) {
  int i = heddle_input_int();
  x = i;
  x = 2;
  return unused;
}

static void *t2(void *unused) {
  int j = heddle_input_int();
  x = j;
  x = 4;
  return unused;
}

static void *t3(void *unused) {
  if (x >= 100)
    assert(0);  // error
  else
    y = 2;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, t1, NULL);
  pthread_create(&threads[1], NULL, t2, NULL);
  pthread_create(&threads[2], NULL, t3, NULL);
  for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
  return 0;
}
