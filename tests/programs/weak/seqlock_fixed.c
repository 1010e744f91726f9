// EXPECT: assert=verified race=verified deadlock=verified (Boehm's seqlock: relaxed data between fences)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int first, second;

static void *writer(void *arg) {
  const unsigned seen = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, seen + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&first, 1, memory_order_relaxed);
  atomic_store_explicit(&second, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, seen + 2, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  unsigned before, after;
  int a, b;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    a = atomic_load_explicit(&first, memory_order_relaxed);
    b = atomic_load_explicit(&second, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 != 0);
  assert(a == b);
  pthread_join(thread, 0);
  return 0;
}
