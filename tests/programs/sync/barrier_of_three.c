// EXPECT: assert=verified race=verified deadlock=violated twin=barrier_phases (the barrier waits for a third thread)
#include <assert.h>
#include <pthread.h>

int part[2];
pthread_barrier_t b;

static void *work(void *arg) {
  long i = (long)arg;
  part[i] = 1;
  pthread_barrier_wait(&b);
  assert(part[1 - i] == 1);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 3);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
