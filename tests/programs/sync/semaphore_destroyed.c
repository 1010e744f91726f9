// EXPECT: assert=verified misuse=violated twin=semaphore_destroyed_after (destroyed, then posted)
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
  sem_destroy(&s);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
