// EXPECT: assert=verified race=verified deadlock=verified (Vyukov's ring: each slot has a sequence number)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kSlots = 2 };

static struct {
  atomic_uint turn;
  int value;
} slots[kSlots] = {{0, 0}, {1, 0}};
static atomic_uint tail, head;

static int push(int value) {
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  for (;;) {
    const int ahead = (int)(atomic_load_explicit(&slots[at % kSlots].turn, memory_order_acquire) - at);
    if (ahead < 0) return 0;
    if (ahead > 0)
      at = atomic_load_explicit(&tail, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(&tail, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
      break;
  }
  slots[at % kSlots].value = value;
  atomic_store_explicit(&slots[at % kSlots].turn, at + 1, memory_order_release);
  return 1;
}

static int pop(void) {
  unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  for (;;) {
    const int ahead = (int)(atomic_load_explicit(&slots[at % kSlots].turn, memory_order_acquire) - (at + 1));
    if (ahead < 0) return 0;
    if (ahead > 0)
      at = atomic_load_explicit(&head, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(&head, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
      break;
  }
  const int value = slots[at % kSlots].value;
  atomic_store_explicit(&slots[at % kSlots].turn, at + kSlots, memory_order_release);
  return value;
}

static void *producer(void *arg) {
  push(1);
  return arg;
}

static void *consumer(void *arg) {
  const int value = pop();
  assert(value >= 0 && value <= 2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  push(2);
  const int value = pop();
  assert(value >= 0 && value <= 2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
