// EXPECT: assert=verified race=verified deadlock=verified misuse=verified (the others have passed, and have only to leave)
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int destroyed;

static void *work(void *unused) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(&b);
    destroyed++;
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  assert(destroyed == 1);
  return 0;
}
