// EXPECT: assert=verified (the twin of glib_512624.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int left, absolute, running;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  absolute = absolute + 1;
  running = running + 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  running = running - 1;
  left = left - 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *pusher(void *unused) {
  pthread_mutex_lock(&m);
  left = left + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, pusher, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(absolute + left == 1 && running == 0);
  return 0;
}
