// EXPECT: race=verified deadlock=violated twin=input_kept_flag (a flag that is taken back before the thread looks; inputs only decide how often it yields)
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int go;
_Bool __VERIFIER_nondet_bool(void);
static void *loop(void *p) {
  while (!atomic_load(&go))
    if (__VERIFIER_nondet_bool()) sched_yield();
  return p;
}
int main(void) {
  pthread_t a;
  if (pthread_create(&a, 0, loop, 0)) return 1;
  atomic_store(&go, 1);
  atomic_store(&go, 0);
  pthread_join(a, 0);
  return 0;
}
