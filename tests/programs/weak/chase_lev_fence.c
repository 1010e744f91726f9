// EXPECT: assert=violated twin=chase_lev_fixed (what is taken is also stolen: no full fence between)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct array {
  int size;
  atomic_int items[2];
};

static struct array small, large;
static struct array *_Atomic array;
static atomic_int top, bottom;

static void grow(int from, int to) {
  struct array *old = atomic_load_explicit(&array, memory_order_relaxed);
  large.size = 2;
  for (int i = from; i < to; i++)
    atomic_store_explicit(&large.items[i % 2], atomic_load_explicit(&old->items[i % old->size], memory_order_relaxed),
                          memory_order_relaxed);
  atomic_store_explicit(&array, &large, memory_order_release);
}

static void push(int value) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  const int t = atomic_load_explicit(&top, memory_order_acquire);
  struct array *a = atomic_load_explicit(&array, memory_order_relaxed);
  if (b - t > a->size - 1) {
    grow(t, b);
    a = atomic_load_explicit(&array, memory_order_relaxed);
  }
  atomic_store_explicit(&a->items[b % a->size], value, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  struct array *a = atomic_load_explicit(&array, memory_order_relaxed);
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_acq_rel);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  int value = 0;
  if (t <= b) {
    value = atomic_load_explicit(&a->items[b % a->size], memory_order_relaxed);
    if (t != b) return value;
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) value = 0;
  }
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return value;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  const int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return 0;
  struct array *a = atomic_load_explicit(&array, memory_order_acquire);
  const int value = atomic_load_explicit(&a->items[t % a->size], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) return 0;
  return value;
}

static int stolen;  // the sum

static void *thief(void *arg) {
  stolen += steal();
  stolen += steal();
  return arg;
}

int main(void) {
  small.size = 1;
  atomic_init(&array, &small);
  pthread_t thread;
  pthread_create(&thread, 0, thief, 0);
  push(1);
  push(2);
  const int first = take(), second = take();
  pthread_join(thread, 0);
  assert(first + second + stolen == 3);
  return 0;
}
