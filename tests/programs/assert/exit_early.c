// EXPECT: assert=verified (a thread that ends the process with exit leaves nothing to fail)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int ready;

static void *worker(void *unused) {
  if (!ready) exit(0);
  assert(ready == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  ready = 1;
  pthread_join(thread, NULL);
  assert(ready == 1);
  return 0;
}
