// EXPECT: assert=verified race=verified deadlock=verified (one thread of each round is told that it is the one)
#include <assert.h>
#include <pthread.h>

int rounds;
pthread_barrier_t b;

static void *work(void *arg) {
  for (int i = 0; i < 2; i++)
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
      __atomic_fetch_add(&rounds, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t1, 0, work, 0);
  pthread_create(&t2, 0, work, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(rounds == 2);
  return 0;
}
