// EXPECT: assert=violated twin=exit_handler_joined (main exits before the thread is done)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int finished;

static void check(void) {
  assert(finished);
}

static void *work(void *unused) {
  finished = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  atexit(check);
  pthread_create(&a, NULL, work, NULL);

  exit(0);
}
