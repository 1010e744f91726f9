// EXPECT: assert=violated race=violated deadlock=verified
// Why: with i <= 0 and j > 0, when the check follows x = 2
//
// Figure 8(a) of the MPC paper (see mpc_figure1.c): a search that looks only at what the
// first run has seen misses the error path.
#include <assert.h>
#include <pthread.h>

#include "heddle.h"

static int x;

static void *t1(void *unused) {
  int i = heddle_input_int();
  int j = heddle_input_int();
  if (i > 0)
    x = 1;
  else if (j > 0)
    x = 2;
  else
    x = 3;
  return unused;
}

static void *t2(void *unused) {
  if (x == 2) assert(0);  // error
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, t1, NULL);
  pthread_create(&second, NULL, t2, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
