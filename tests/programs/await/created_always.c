// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (whatever the input is)
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int ready;

static void *worker(void *unused) {
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  const int n = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, worker, 0);
  while (!ready) {
  }
  return n & 0;
}
