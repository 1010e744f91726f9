// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=two_flags_in_order (each sets its flag only once it has seen the flag of the other)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *worker(void *unused) {
  while (!second) {
  }
  first = 1;
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
