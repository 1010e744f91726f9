// EXPECT: assert=violated race=violated twin=semaphore_named (only the first to open it gives it a value, and that admits two)
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int inside;

static void *worker(void *initial) {
  sem_t *gate = sem_open("/gate", O_CREAT, 0600, (unsigned)(long)initial);
  sem_wait(gate);
  inside++;
  assert(inside == 1);
  inside--;
  sem_post(gate);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void *)1);
  pthread_create(&b, NULL, worker, (void *)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
