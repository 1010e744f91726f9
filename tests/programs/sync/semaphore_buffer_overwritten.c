// EXPECT: assert=violated race=violated deadlock=verified twin=semaphore_buffer (the producer does not wait for the slot)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int slot;
sem_t empty, full;

static void *produce(void *arg) {
  for (int i = 1; i <= 2; i++) {
    slot = i;
    sem_post(&full);
  }
  return arg;
}

static void *consume(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&empty);
  }
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  pthread_create(&t1, 0, produce, 0);
  pthread_create(&t2, 0, consume, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
