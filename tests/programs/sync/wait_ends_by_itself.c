// EXPECT: assert=violated deadlock=verified twin=wait_ends_and_looks_again (POSIX lets a wait end without a signal; nobody looks again)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
