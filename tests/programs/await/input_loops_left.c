// EXPECT: race=verified deadlock=verified twin=input_loops_never_left (once the value is there, both loops are left)
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state;
_Bool __VERIFIER_nondet_bool(void);
static int get(void) {
  pthread_mutex_lock(&m);
  int s = state;
  pthread_mutex_unlock(&m);
  return s;
}
static void *loop(void *p) {
  int seen;
  do {
    int again;
    do {
      again = 0;
      if (__VERIFIER_nondet_bool()) again = 1;
      seen = get();
    } while (again && seen != 2);
  } while (seen != 2);
  return p;
}
int main(void) {
  pthread_t a;
  if (pthread_create(&a, 0, loop, 0)) return 1;
  pthread_mutex_lock(&m);
  state = 2;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
