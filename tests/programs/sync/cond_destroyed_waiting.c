// EXPECT: misuse=violated twin=cond_destroyed_after_signal (the waiting thread was not signalled)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int waits, done;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  waits = 1;
  while (!done) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_cond_init(&c, NULL);
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&m);
  int waited = waits;
  done = 1;
  pthread_mutex_unlock(&m);
  if (waited) pthread_cond_destroy(&c);
  pthread_join(t, NULL);
  assert(done);
  return 0;
}
