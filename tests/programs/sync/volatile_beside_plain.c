// EXPECT: race=violated option=--volatile-atomic twin=volatile_flag_atomic (only one of the two accesses is volatile)
#include <pthread.h>

static int count;

static void *work(void *unused) {
  *(volatile int *)&count = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  int seen = count;
  pthread_join(t, 0);
  return seen > 1;
}
