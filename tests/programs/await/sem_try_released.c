// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (released before the join)
#include <pthread.h>
#include <semaphore.h>

static sem_t slots;

static void *poll(void *unused) {
  while (sem_trywait(&slots) != 0) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&slots, 0, 0);
  pthread_create(&thread, 0, poll, 0);
  sem_post(&slots);
  pthread_join(thread, 0);
  return 0;
}
