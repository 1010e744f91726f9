// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (the flag is on the stack of the one who waits)
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *flag) {
  atomic_store((atomic_int *)flag, 1);
  return flag;
}

int main(void) {
  pthread_t thread;
  atomic_int done = 0;
  pthread_create(&thread, 0, worker, &done);
  while (!done) {
  }
  pthread_join(thread, 0);
  return 0;
}
