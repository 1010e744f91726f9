// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (the flag that is waited for)
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready, raedy;

static void *worker(void *unused) {
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!ready) usleep(10);
  pthread_join(thread, 0);
  return raedy;
}
