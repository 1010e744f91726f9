// EXPECT: assert=verified-within-bounds deadlock=verified-within-bounds (the routine of a cancelled thread is run by the next)
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, done;

static void routine(void) {
  runs++;
  pthread_testcancel();
  done++;
}

static void *first(void *unused) {
  pthread_once(&once, routine);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_cancel(t);
  pthread_once(&once, routine);
  pthread_join(t, NULL);
  assert(done == 1 && runs <= 2);
  return 0;
}
