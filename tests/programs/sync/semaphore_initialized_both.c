// EXPECT: assert=verified misuse=verified (both semaphores were initialized)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t used, unused;

static void *work(void *arg) {
  sem_post(&used);
  return arg;
}

int main(void) {
  pthread_t t;
  assert(sem_init(&used, 0, 0) == 0);
  assert(sem_init(&unused, 0, 0) == 0);
  pthread_create(&t, 0, work, 0);
  sem_wait(&used);
  pthread_join(t, 0);
  return 0;
}
