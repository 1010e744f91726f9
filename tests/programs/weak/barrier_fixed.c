// EXPECT: assert=verified race=verified deadlock=verified (a barrier that turns its sense)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 2 };

static atomic_int arrived, sense;
static int left, right;

static void wait(int mine) {
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) == kThreads - 1) {
    atomic_store_explicit(&arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&sense, mine, memory_order_release);
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != mine) {
    }
  }
}

static void *worker(void *arg) {
  left = 1;
  wait(1);
  assert(right == 1);
  wait(0);
  left = 2;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  right = 1;
  wait(1);
  assert(left == 1);
  wait(0);
  right = 2;
  pthread_join(thread, 0);
  return 0;
}
