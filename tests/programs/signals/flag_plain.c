// EXPECT: race=violated option=--signals=threads twin=flag_volatile (the handler writes a plain variable)
#include <pthread.h>
#include <signal.h>

static int stop;

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
