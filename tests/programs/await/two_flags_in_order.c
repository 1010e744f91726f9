// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (one of them sets its flag first)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *worker(void *unused) {
  first = 1;
  while (!second) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!first) {
  }
  second = 1;
  pthread_join(thread, 0);
  return 0;
}
