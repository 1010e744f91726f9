// EXPECT: assert=verified race=verified misuse=verified (whoever finds the work done destroys the mutex)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  int seen = value;
  pthread_mutex_unlock(&m);
  if (seen) pthread_mutex_destroy(&m);
  pthread_join(t, NULL);
  assert(value <= 1);
  if (!seen) pthread_mutex_destroy(&m);
  return 0;
}
