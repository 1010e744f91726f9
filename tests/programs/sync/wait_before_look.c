// EXPECT: assert=violated deadlock=verified twin=wait_before_look_again (it has told that it waits, so a wait that ends by itself is no late arrival)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits, told;

static void *tell(void *unused) {
  pthread_mutex_lock(&m);
  if (waits) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    told = 1;
  }
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  waits = 1;
  pthread_create(&t, 0, tell, 0);
  do {
    pthread_cond_wait(&c, &m);
  } while (0);
  assert(told);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
