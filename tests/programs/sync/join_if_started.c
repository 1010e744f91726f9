// EXPECT: misuse=verified (the end waits only for a thread that was started)
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_t worker;

static void *work(void *unused) { return unused; }

int main(void) {
  int isWanted = __VERIFIER_nondet_int();
  if (isWanted) pthread_create(&worker, NULL, work, NULL);
  if (isWanted) pthread_join(worker, NULL);
  return 0;
}
