// Two threads meet at a barrier in each of as many rounds as an input says, at most N: one writes before it what
// the other one reads behind it.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 3
#endif

static pthread_barrier_t barrier;
static int value, rounds;

static void *writer(void *unused) {
  for (int i = 0; i < rounds; i++) {
    value = i;
    pthread_barrier_wait(&barrier);
#ifndef RACY
    pthread_barrier_wait(&barrier);
#endif
  }
  return unused;
}

static void *reader(void *unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_barrier_wait(&barrier);
    assert(value == i);
#ifndef RACY
    pthread_barrier_wait(&barrier);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0 && rounds <= N);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
