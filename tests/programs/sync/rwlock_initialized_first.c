// EXPECT: race=verified misuse=verified (a semaphore says when the lock is there)
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t m;
static sem_t ready;
static int value;

static void *setUp(void *unused) {
  pthread_rwlock_init(&m, NULL);
  sem_post(&ready);
  pthread_rwlock_wrlock(&m);
  value = 42;
  pthread_rwlock_unlock(&m);
  return unused;
}

static void *use(void *unused) {
  sem_wait(&ready);
  pthread_rwlock_wrlock(&m);
  value++;
  pthread_rwlock_unlock(&m);
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
