// EXPECT: race=verified deadlock=violated twin=input_one_begins (each waits until the other one writes, and inputs decide only how often they yield)
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;
_Bool __VERIFIER_nondet_bool(void);
static int get(void) {
  pthread_mutex_lock(&m);
  int t = turn;
  pthread_mutex_unlock(&m);
  return t;
}
static void put(int t) {
  pthread_mutex_lock(&m);
  turn = t;
  pthread_mutex_unlock(&m);
}
static void *first(void *p) {
  while (get() != 1)
    if (__VERIFIER_nondet_bool()) sched_yield();
  put(2);
  return p;
}
static void *second(void *p) {
  while (get() != 2)
    if (__VERIFIER_nondet_bool()) sched_yield();
  return p;
}
int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, 0, first, 0)) return 1;
  if (pthread_create(&b, 0, second, 0)) return 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
