// EXPECT: assert=violated twin=order_before_create (the worker may run before main has filled in the size)
#include <assert.h>
#include <pthread.h>

static int size;

static void *worker(void *unused) {
  assert(size > 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  size = 16;
  pthread_join(thread, NULL);
  return 0;
}
