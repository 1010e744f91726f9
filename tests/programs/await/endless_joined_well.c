// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (who joins a thread that waits for nothing waits for nothing)
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void *spin(void *unused) {
  if (__VERIFIER_nondet_uint() != 77)
    for (;;) {
    }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  pthread_join(thread, 0);
  assert(1);
  return 0;
}
