// EXPECT: assert=violated race=violated deadlock=verified twin=semaphore_mutex (the semaphore lets both in)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int count;
sem_t gate;

static void *add(void *arg) {
  sem_wait(&gate);
  count = count + 1;
  sem_post(&gate);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  sem_init(&gate, 0, 2);
  pthread_create(&t1, 0, add, 0);
  pthread_create(&t2, 0, add, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(count == 2);
  return 0;
}
