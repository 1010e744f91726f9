// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=local_flag (the flag is on the stack of the one who waits, and its reader does not set it)
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *flag) {
  atomic_load((atomic_int *)flag);
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
