// EXPECT: race=verified deadlock=verified twin=input_outer_stays (an input leads from the inner loop to the outer one, and out of it)
#include <pthread.h>
#include <stdatomic.h>
static atomic_int work;
_Bool __VERIFIER_nondet_bool(void);
static void *loop(void *p) {
  while (!__VERIFIER_nondet_bool()) {
    while (work == 0 && !__VERIFIER_nondet_bool());
  }
  return p;
}
int main(void) {
  pthread_t a;
  if (pthread_create(&a, 0, loop, 0)) return 1;
  atomic_store(&work, 0);
  pthread_join(a, 0);
  return 0;
}
