// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (the thread is there)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *worker(void *unused) {
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!ready) {
  }
  pthread_join(thread, 0);
  return 0;
}
