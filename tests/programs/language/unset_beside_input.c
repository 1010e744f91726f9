// EXPECT: uninitialized=violated twin=set_beside_input (the distance is never written for some inputs, and less another value that depends on them)
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t kept;

static void set(unsigned *log, int level) {
  if (level > 9) *log = 10;
}

static size_t size_of(int level) {
  unsigned log;
  set(&log, level);
  unsigned less = level > 4 ? 0 : 3;
  return (size_t)1 << (log - less);
}

static void *run(void *arg) {
  size_t size = size_of(__VERIFIER_nondet_int());
  pthread_mutex_lock(&lock);
  kept += size;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_mutex_lock(&lock);
  kept += 1;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
