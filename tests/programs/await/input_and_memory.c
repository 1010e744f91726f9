// EXPECT: deadlock=incomplete (no input leaves the loop while the mask is 0, which Heddle does not decide, and must not call verified)
#include <pthread.h>
#include <stdatomic.h>
static atomic_int mask;
int __VERIFIER_nondet_int(void);
static void *loop(void *p) {
  for (;;) {
    int asked = __VERIFIER_nondet_int();
    if (asked & mask) return p;
  }
}
int main(void) {
  pthread_t a;
  if (pthread_create(&a, 0, loop, 0)) return 1;
  atomic_store(&mask, 1);
  atomic_store(&mask, 0);
  pthread_join(a, 0);
  return 0;
}
