// EXPECT: assert=verified race=verified deadlock=verified (test and test-and-set, released by release)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int counter;

static void lock(void) {
  for (;;) {
    while (atomic_load_explicit(&locked, memory_order_relaxed)) {
    }
    if (!atomic_exchange_explicit(&locked, 1, memory_order_acquire)) return;
  }
}

static void unlock(void) {
  atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *worker(void *arg) {
  lock();
  counter++;
  unlock();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
