// EXPECT: assert=verified race=verified deadlock=verified (a ring of two slots, one producer, one consumer)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint head, tail;
static int slots[2];

static int push(int value) {
  const unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == 2) return 0;
  slots[at % 2] = value;
  atomic_store_explicit(&tail, at + 1, memory_order_release);
  return 1;
}

static int pop(int *value) {
  const unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  if (atomic_load_explicit(&tail, memory_order_acquire) == at) return 0;
  *value = slots[at % 2];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return 1;
}

static void *producer(void *arg) {
  for (int i = 1; i <= 3; i++)
    while (!push(i)) {
    }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  for (int i = 1; i <= 3; i++) {
    int value = 0;
    while (!pop(&value)) {
    }
    assert(value == i);
  }
  pthread_join(thread, 0);
  return 0;
}
