// EXPECT: race=violated (the first fence is not sequentially consistent)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int counter;

static void lock(int self) {
  atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_acq_rel);
  while (atomic_load_explicit(&wants[1 - self], memory_order_relaxed)) {
    if (atomic_load_explicit(&turn, memory_order_relaxed) == self) continue;
    atomic_store_explicit(&wants[self], 0, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != self) {
    }
    atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
  }
  atomic_thread_fence(memory_order_acquire);
}

static void unlock(int self) {
  atomic_store_explicit(&turn, 1 - self, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&wants[self], 0, memory_order_relaxed);
}

static void *worker(void *arg) {
  lock(1);
  counter++;
  unlock(1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  lock(0);
  counter++;
  unlock(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
