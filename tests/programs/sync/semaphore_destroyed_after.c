// EXPECT: assert=verified misuse=verified (posted, then destroyed)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

static void *work(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  assert(sem_init(&s, 0, 0) == 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  sem_destroy(&s);
  return 0;
}
