// EXPECT: assert=verified-within-bounds deadlock=verified-within-bounds (a cancelled waiter unlocks by its handler)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int isReady;

static void leave(void *mutex) { pthread_mutex_unlock(mutex); }

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  pthread_cleanup_push(leave, &m);
  while (!isReady) pthread_cond_wait(&ready, &m);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
