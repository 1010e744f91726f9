// EXPECT: assert=verified deadlock=violated twin=exit_with_cleanup (a thread exits with the lock)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entered;

static void release(void *which) {
  (void)which;
}

static void leave(void) {
  pthread_exit(NULL);
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(release, &lock);
  entered++;
  leave();
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(entered == 2);
  return 0;
}
