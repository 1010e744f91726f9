// EXPECT: misuse=violated twin=join_if_started (the end waits for a thread that only some way has started)
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_t worker;

static void *work(void *unused) { return unused; }

int main(void) {
  int isWanted = __VERIFIER_nondet_int();
  if (isWanted) pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
  return 0;
}
