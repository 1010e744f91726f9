// EXPECT: assert=violated twin=semaphore_maximum (a post to a semaphore that is full is lost)
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *post(void *unused) {
  assert(sem_post(&s) == 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, INT_MAX - 1);
  pthread_create(&a, NULL, post, NULL);
  pthread_create(&b, NULL, post, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
