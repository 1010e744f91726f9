// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=after_create (main waits for what only a thread does that it creates afterwards)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *worker(void *unused) {
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  while (!ready) {
  }
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
