// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (both under the lock)
#include <pthread.h>

struct block {
  unsigned words[4];
} __attribute__((aligned(8)));

static unsigned count;
static struct block from, to;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  count = 1;
  from.words[0] += 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  count = 3;
  to = from;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return (int)to.words[0];
}
