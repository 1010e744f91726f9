// EXPECT: deadlock=verified-within-bounds assert=verified-within-bounds (nothing of the program runs for an ignored signal)
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void *work(void *unused) {
  assert(seen == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {0};
  action.sa_handler = SIG_IGN;
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, SIG_DFL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
