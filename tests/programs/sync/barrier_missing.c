// EXPECT: assert=violated race=violated deadlock=verified twin=barrier_phases (reads what the other may not have written)
#include <assert.h>
#include <pthread.h>

int part[2];
pthread_barrier_t b;

static void *work(void *arg) {
  long i = (long)arg;
  part[i] = 1;
  assert(part[1 - i] == 1);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 2);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
