// EXPECT: misuse=violated twin=semaphore_initialized_by_thread (the thread may wait before the semaphore is initialized)
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int value;

static void *work(void *unused) {
  sem_wait(&s);
  value = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  sem_init(&s, 0, 0);
  sem_post(&s);
  pthread_join(t, NULL);
  sem_destroy(&s);
  return value - 1;
}
