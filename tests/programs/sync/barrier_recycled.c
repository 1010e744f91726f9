// EXPECT: assert=verified deadlock=verified misuse=verified race=verified (initialized again while the other one leaves)
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int passed;

static void *work(void *unused) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(&b);
    pthread_barrier_init(&b, NULL, 1);
    passed++;
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  assert(passed == 1);
  pthread_barrier_destroy(&b);
  return 0;
}
