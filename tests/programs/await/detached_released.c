// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (main sets the flag before it ends)
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
  go = 1;
  pthread_exit(0);
}
