// EXPECT: assert=violated race=violated deadlock=verified twin=semaphore_hand_over (the post comes before the write)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t full;

static void *produce(void *arg) {
  sem_post(&full);
  data = 42;
  return arg;
}

static void *consume(void *arg) {
  sem_wait(&full);
  assert(data == 42);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  sem_init(&full, 0, 0);
  pthread_create(&t1, 0, produce, 0);
  pthread_create(&t2, 0, consume, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
