// racey, MPC paper, Table 1: a program made of races. T threads meet at a home-made barrier, looking at most CHECKS times
// whether the others are there, and then mix each other's values; the result depends on nearly every order.
//
// Bug: the program can produce the signature SIGNATURE, which takes three preemptions inside the mixing.
// SIGNATURE=0 cannot be produced.
//
// Paper, paths and seconds: 432 with each strategy; MCR 1,133, s1 268, s2 460. (432 = 3 threads that may be last, times
// 12 * 12 ways in which the other two leave the barrier. Here each has two ends, the sides of the assertion: 864.)
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 3
#endif
#ifndef CHECKS
#define CHECKS 10
#endif
#ifndef SIGNATURE
#define SIGNATURE 452218
#endif
#define CELLS 4

static int missing = T;
static unsigned cells[CELLS] = {3, 5, 7, 11};
static unsigned signatures[T];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned mix(unsigned a, unsigned b) { return (a << 2) ^ (a >> 3) ^ (b + 17); }

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
  unsigned value = 13u * (unsigned)(me + 1);
  value = mix(value, cells[me % CELLS]);
  value = mix(value, cells[(me + 1) % CELLS]);
  cells[(me + 1) % CELLS] = value;
  value = mix(value, cells[0]);
  cells[0] = value;
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
