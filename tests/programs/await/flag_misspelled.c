// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=flag_spelled (the worker sets another flag than the one that is waited for)
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready, raedy;

static void *worker(void *unused) {
  raedy = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!ready) usleep(10);
  pthread_join(thread, 0);
  return raedy;
}
