// EXPECT: race=verified volatile=violated twin=volatile_flag_atomic (volatile orders nothing between threads)
#include <pthread.h>

static volatile int stop;

static void *work(void *unused) {
  while (!stop) {
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  stop = 1;
  pthread_join(t, 0);
  return 0;
}
