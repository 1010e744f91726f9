// EXPECT: assert=verified (whoever gets the lock is alone)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *unused) {
  if (pthread_mutex_trylock(&lock) == 0) {
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&lock);
  }
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
