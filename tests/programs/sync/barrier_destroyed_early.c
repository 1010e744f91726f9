// EXPECT: misuse=violated twin=barrier_destroyed_by_last (the main thread destroys a barrier at which the other one may wait)
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *unused) {
  pthread_barrier_wait(&b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  pthread_barrier_destroy(&b);
  return 0;
}
