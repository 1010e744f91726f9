// EXPECT: assert=verified deadlock=violated twin=philosophers_ordered (all take their left fork)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t forks[2];
int meals;

static void *eat(void *arg) {
  long i = (long)arg;
  long left = i, right = (i + 1) % 2;
  (void)i;
  sem_wait(&forks[left]);
  sem_wait(&forks[right]);
  __atomic_fetch_add(&meals, 1, __ATOMIC_SEQ_CST);
  sem_post(&forks[right]);
  sem_post(&forks[left]);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) sem_init(&forks[i], 0, 1);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, eat, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(meals == 2);
  return 0;
}
