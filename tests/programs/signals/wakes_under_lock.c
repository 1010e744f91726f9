// EXPECT: deadlock=violated option=--signals=threads twin=wakes_main (the handler takes the lock that the waiting main holds)
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void on_term(int number) {
  (void)number;
  pthread_mutex_lock(&m);
  sem_post(&done);
  pthread_mutex_unlock(&m);
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = on_term;
  sem_init(&done, 0, 0);
  sigaction(SIGTERM, &action, NULL);
  pthread_mutex_lock(&m);
  while (sem_wait(&done) != 0) {
  }
  pthread_mutex_unlock(&m);
  return 0;
}
