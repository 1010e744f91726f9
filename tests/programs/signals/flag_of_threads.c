// EXPECT: volatile=violated option=--signals=threads twin=flag_volatile (two threads share it as well)
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_term(int number) {
  (void)number;
  stop = 1;
}

static void *work(void *unused) {
  stop = 1;
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
