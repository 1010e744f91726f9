// EXPECT: race=violated (the quick look does not acquire)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kNew, kBusy, kReady };

static atomic_int state;
static int table;

static void setUp(void) {
  int seen = atomic_load_explicit(&state, memory_order_relaxed);
  if (seen == kReady) return;
  seen = kNew;
  if (atomic_compare_exchange_strong_explicit(&state, &seen, kBusy, memory_order_relaxed, memory_order_relaxed)) {
    table = 7;
    atomic_store_explicit(&state, kReady, memory_order_release);
    return;
  }
  while (atomic_load_explicit(&state, memory_order_acquire) != kReady) {
  }
}

static void *worker(void *arg) {
  setUp();
  assert(table == 7);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  setUp();
  assert(table == 7);
  pthread_join(thread, 0);
  return 0;
}
