// EXPECT: misuse=violated twin=barrier_initialized_again (two threads initialize it)
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *unused) {
  pthread_barrier_init(&b, NULL, 1);
  pthread_barrier_wait(&b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
