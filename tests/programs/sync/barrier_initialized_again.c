// EXPECT: misuse=verified deadlock=verified (it was destroyed in between)
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *unused) {
  pthread_barrier_wait(&b);
  return unused;
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&b);
  }
  return 0;
}
