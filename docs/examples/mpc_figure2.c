// EXPECT: assert=violated race=violated deadlock=verified
// Why: with i == 3 and j >= 2, in a few of very many schedules
//
// Figure 2 of the MPC paper (see mpc_figure1.c), with at most two rounds of the loop.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *unused) {
  int i = heddle_input_int();
  x = 2;
  y = 5;
  if (i == 3) {
    x++;
    pthread_mutex_lock(&l);
    y--;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void *t2(void *unused) {
  x = 5;
  y = 0;
  if (x == 101) {
    if (y == 2) assert(0);  // crash
  }
  return unused;
}

static void *t3(void *unused) {
  x = 100;
  int j = heddle_input_int();
  heddle_assume(0 <= j && j <= 2);
  while (j-- > 0) {
    pthread_mutex_lock(&l);
    y++;
    pthread_mutex_unlock(&l);
  }
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
