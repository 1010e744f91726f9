// EXPECT: deadlock=verified twin=input_try_held (the mutex is given up first)
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool __VERIFIER_nondet_bool(void);
static void *tries(void *p) {
  for (;;) {
    if (__VERIFIER_nondet_bool()) continue;
    if (pthread_mutex_trylock(&m) == 0) break;
  }
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  if (pthread_create(&a, 0, tries, 0)) return 1;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
