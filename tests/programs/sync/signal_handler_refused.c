// EXPECT: deadlock=unsupported assert=unsupported option=--refuse-signals (a handler may run anywhere; what it does is not explored)
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int number) {
  seen = number;
}

static void *work(void *unused) {
  assert(seen == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
