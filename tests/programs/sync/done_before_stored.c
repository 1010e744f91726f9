// EXPECT: assert=violated deadlock=verified race=verified twin=done_before_stored_fixed (a wait that ends without a signal sees done too early)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static int asked, done, stored;

static void *ask(void *unused) {
  pthread_mutex_lock(&m);
  asked = 1;
  pthread_cond_signal(&some);
  while (!done) pthread_cond_wait(&answered, &m);
  assert(stored);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *answer(void *unused) {
  pthread_mutex_lock(&m);
  while (!asked) pthread_cond_wait(&some, &m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  stored = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&answered);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, ask, 0);
  pthread_create(&b, 0, answer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
