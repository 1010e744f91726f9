// EXPECT: assert=violated twin=try_lock (the result of the try is ignored)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *unused) {
  int failed = pthread_mutex_trylock(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  if (!failed) pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
