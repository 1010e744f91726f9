// A ticket lock with T threads that enter ROUNDS times each: draw a number, wait until it is served.
//
// No bug: the plain counter inside loses no update. The wait is a loop without effects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int next, serving;
static int counter;

static void *enter(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine) {
    }
    counter++;
    atomic_store(&serving, mine + 1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[T];
  for (int k = 0; k < T; k++) pthread_create(&threads[k], NULL, enter, NULL);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  assert(counter == T * ROUNDS);
  return 0;
}
