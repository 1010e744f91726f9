// EXPECT: race=verified-within-bounds volatile=verified-within-bounds deadlock=verified-within-bounds option=--signals=threads (volatile sig_atomic_t is what a handler may write, and the handler ends the loop)
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_term(int number) {
  (void)number;
  stop = 1;
}

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGTERM, on_term);
  pthread_create(&t, NULL, work, NULL);
  while (!stop) {
  }
  pthread_join(t, NULL);
  return 0;
}
