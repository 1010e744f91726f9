// EXPECT: assert=verified misuse=verified deadlock=verified race=verified (initialized before the flag that allows its use)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  sem_init(&s, 0, 1);
  ready = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  int usable = ready;
  pthread_mutex_unlock(&m);
  if (usable) {
    sem_wait(&s);
    value = 1;
  }
  pthread_join(t, NULL);
  assert(value == usable);
  return 0;
}
