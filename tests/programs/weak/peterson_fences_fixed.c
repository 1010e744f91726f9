// EXPECT: assert=verified race=verified deadlock=verified (Peterson's lock: relaxed accesses, fences between)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int counter;

static void enter(int self) {
  atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&turn, 1 - self, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&wants[1 - self], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_relaxed) == 1 - self) {
  }
}

static void leave(int self) {
  atomic_store_explicit(&wants[self], 0, memory_order_release);
}

static void *other(void *arg) {
  enter(1);
  counter++;
  leave(1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  enter(0);
  counter++;
  leave(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
