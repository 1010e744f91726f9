// EXPECT: assert=verified-within-bounds (both steps are protected from cancellation)
#include <assert.h>
#include <pthread.h>

static int first, second;

static void *worker(void *unused) {
  (void)unused;
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  first = 1;
  pthread_testcancel();
  first = 2;
  pthread_testcancel();
  second = 1;
  pthread_setcancelstate(old, NULL);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  assert(first == 2);
  assert(second == 1);
  return 0;
}
