// EXPECT: assert=verified race=violated deadlock=verified memory=verified misuse=verified twin=mixed_widths_locked (words of a structure are written here and copied in eights there, beside another race)
#include <pthread.h>

struct block {
  unsigned words[4];
} __attribute__((aligned(8)));

static unsigned count;
static struct block from, to;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  count = 1;
  from.words[0] += 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  count = 3;
  to = from;
  pthread_join(thread, 0);
  return (int)to.words[0];
}
