// EXPECT: assert=violated race=violated deadlock=verified twin=semaphore_try (goes on without the semaphore)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int inside;
sem_t gate;

static void *enter(void *arg) {
  int got = sem_trywait(&gate) == 0;
  inside++;
  assert(inside == 1);
  inside--;
  if (got) sem_post(&gate);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  sem_init(&gate, 0, 1);
  pthread_create(&t1, 0, enter, 0);
  pthread_create(&t2, 0, enter, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
