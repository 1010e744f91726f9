// EXPECT: assert=verified (the twin of testc.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int x = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *unused) {
  pthread_mutex_lock(&guard);
  x = 0;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, clear, NULL);
  pthread_mutex_lock(&guard);
  if (x != 0) {
    assert(x != 0);
  }
  pthread_mutex_unlock(&guard);
  return 0;
}
