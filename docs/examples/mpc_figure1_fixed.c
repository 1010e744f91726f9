// EXPECT: assert=verified race=violated deadlock=verified
// Why: no input is above 100 and the check is for 200
//
// The twin of mpc_figure1.c: the error is out of reach for all inputs that are allowed.
#include <assert.h>
#include <pthread.h>

#include "heddle.h"

static int x, y;

static void *t1(void *unused) {
  int i = heddle_input_int();
  heddle_assume(i <= 100);
  x = i;
  x = 2;
  return unused;
}

static void *t2(void *unused) {
  int j = heddle_input_int();
  heddle_assume(j <= 100);
  x = j;
  x = 4;
  return unused;
}

static void *t3(void *unused) {
  if (x >= 200)
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
