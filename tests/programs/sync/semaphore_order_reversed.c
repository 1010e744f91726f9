// EXPECT: assert=verified race=verified deadlock=violated twin=semaphore_order (each holds what the other wants)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t a, b;

static void *first(void *arg) {
  sem_wait(&a);
  sem_wait(&b);
  x = 1;
  sem_post(&b);
  sem_post(&a);
  return arg;
}

static void *second(void *arg) {
  sem_wait(&b);
  sem_wait(&a);
  assert(x == 0 || x == 1);
  sem_post(&a);
  sem_post(&b);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  sem_init(&a, 0, 1);
  sem_init(&b, 0, 1);
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
