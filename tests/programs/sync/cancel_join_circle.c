// EXPECT: assert=verified-within-bounds deadlock=verified-within-bounds (two joins wait for each other, and one is cancelled)
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_t first;

static void *other(void *unused) {
  pthread_cancel(first);
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
