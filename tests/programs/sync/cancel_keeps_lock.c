// EXPECT: deadlock=violated twin=cancel_wait (a cancelled waiter keeps the lock: it has no handler)
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int isReady;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  while (!isReady) pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
