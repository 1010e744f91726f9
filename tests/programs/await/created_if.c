// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=created_always (for one input the thread that sets the flag is never created)
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
  if (n != 12345) pthread_create(&thread, 0, worker, 0);
  while (!ready) {
  }
  return n & 0;
}
