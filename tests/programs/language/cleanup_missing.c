// EXPECT: assert=verified deadlock=violated twin=cleanup_attribute (an early return keeps the lock)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void unlock(pthread_mutex_t **which) {
  pthread_mutex_unlock(*which);
}

static int visit(void) {
  pthread_mutex_t *guard = &lock;
  pthread_mutex_lock(guard);
  if (++visits == 1) return 1;
  pthread_mutex_unlock(guard);
  return 0;
}

static void *work(void *unused) {
  visit();
  (void)unlock;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(visits == 2);
  return 0;
}
