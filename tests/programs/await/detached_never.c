// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=detached_released (main has ended, and nobody sets the flag)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;

static void *worker(void *unused) {
  while (!go) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_detach(thread);
  pthread_exit(0);
}
