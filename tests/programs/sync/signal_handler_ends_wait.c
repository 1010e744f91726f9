// EXPECT: deadlock=verified-within-bounds (if the thread does not post the semaphore, a handler may)
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static sem_t stop;
static atomic_int asked;

static void handler(int number) {
  (void)number;
  sem_post(&stop);
}

static void *work(void *unused) {
  if (atomic_load(&asked)) sem_post(&stop);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&stop, 0, 0);
  signal(SIGTERM, handler);
  pthread_create(&t, NULL, work, NULL);
  atomic_store(&asked, 1);
  while (sem_wait(&stop) != 0) {
  }
  pthread_join(t, NULL);
  return 0;
}
