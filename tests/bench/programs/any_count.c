// T threads count under a lock, each up to a number that an input decides.
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 2
#endif

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, count;

static void *work(void *unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[T];
  rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0 && rounds <= 1000000);
  for (int i = 0; i < T; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
#ifdef BUGGY
  assert(rounds < 4 || count != T * rounds);
#else
  assert(count == T * rounds);
#endif
  return 0;
}
