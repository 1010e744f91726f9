// EXPECT: deadlock=violated twin=cancel_join_circle (two threads wait for the end of each other, and nobody cancels one)
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_t first;

static void *other(void *unused) {
  if (__VERIFIER_nondet_int()) pthread_join(first, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  return 0;
}
