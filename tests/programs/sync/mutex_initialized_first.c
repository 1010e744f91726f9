// EXPECT: race=verified misuse=verified (a semaphore says when the mutex is there)
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m;
static sem_t ready;
static int value;

static void *setUp(void *unused) {
  pthread_mutex_init(&m, NULL);
  sem_post(&ready);
  pthread_mutex_lock(&m);
  value = 42;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *use(void *unused) {
  sem_wait(&ready);
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, setUp, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
