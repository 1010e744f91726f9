// EXPECT: race=violated twin=loop_in_loop_waits (the value is set without the lock)
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
  int run = get() != 9;
  while (run) {
    int again;
    // The inner loop's head follows the outer one's without an event between them.
    do {
      again = 0;
      if (__VERIFIER_nondet_bool()) again = 1;
      if (get() == 2) return p;
    } while (again);
  }
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, loop, 0);
  state = 2;
  pthread_join(a, 0);
  return 0;
}
