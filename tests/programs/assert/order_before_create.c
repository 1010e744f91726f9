// EXPECT: assert=verified (what main writes before the create is seen by the thread)
#include <assert.h>
#include <pthread.h>

static int size;

static void *worker(void *unused) {
  assert(size > 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  size = 16;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
