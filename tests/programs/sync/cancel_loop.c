// EXPECT: assert=verified-within-bounds race=verified-within-bounds (an endless worker is cancelled and joined)
#include <assert.h>
#include <pthread.h>

static int count;

static void *worker(void *unused) {
  (void)unused;
  count = 1;
  for (;;) pthread_testcancel();
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && count <= 1);
  count = 2;
  return 0;
}
