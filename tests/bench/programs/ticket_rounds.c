// T threads take a ticket lock of atomic counters in a loop, as often as an input says, at most N times each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#ifndef T
#define T 2
#endif
#ifndef N
#define N 3
#endif

static atomic_uint next, serving;
static int inside, rounds;

static void *worker(void *unused) {
  for (int i = 0; i < rounds; i++) {
#ifdef RACY
    unsigned ticket = next;
    next = ticket + 1;
#else
    unsigned ticket = atomic_fetch_add(&next, 1);
#endif
    while (atomic_load(&serving) != ticket) {
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    atomic_store(&serving, ticket + 1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[T];
  rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0 && rounds <= N);
  for (int i = 0; i < T; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
  return 0;
}
