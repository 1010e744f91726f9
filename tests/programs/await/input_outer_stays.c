// EXPECT: race=verified deadlock=violated twin=input_outer_leaves (the outer loop is left only once there is work)
#include <pthread.h>
#include <stdatomic.h>
static atomic_int work;
_Bool __VERIFIER_nondet_bool(void);
static void *loop(void *p) {
  while (work == 0) {
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
