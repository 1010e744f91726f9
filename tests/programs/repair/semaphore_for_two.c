// EXPECT: assert=violated race=violated (the semaphore that guards the counter lets two pass)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t gate;
static int visits;

static void *visit(void *unused) {
  sem_wait(&gate);
  visits = visits + 1;
  sem_post(&gate);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&gate, 0, 2);
  pthread_create(&a, NULL, visit, NULL);
  pthread_create(&b, NULL, visit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(visits == 2);
  return 0;
}
