// EXPECT: race=verified deadlock=verified twin=input_lost_flag (the flag stays)
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
  pthread_join(a, 0);
  return 0;
}
