// EXPECT: assert=verified misuse=violated twin=semaphore_initialized_both (the other semaphore was initialized)
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
  assert(sem_init(&unused, 0, 0) == 0);
  pthread_create(&t, 0, work, 0);
  sem_wait(&used);
  pthread_join(t, 0);
  return 0;
}
