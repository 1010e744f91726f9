// EXPECT: deadlock=verified-within-bounds race=verified-within-bounds option=--signals=threads (sem_post may be called in a handler)
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void on_term(int number) {
  (void)number;
  sem_post(&done);
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
