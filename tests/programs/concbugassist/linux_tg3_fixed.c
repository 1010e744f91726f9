// EXPECT: assert=verified (the twin of linux_tg3.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int stats = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *close_port(void *unused) {
  pthread_mutex_lock(&guard);
  stats = 0;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *get_stats(void *unused) {
  pthread_mutex_lock(&guard);
  if (stats) {
    assert(stats != 0);
  }
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, close_port, NULL);
  pthread_create(&b, NULL, get_stats, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
