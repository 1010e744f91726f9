// EXPECT: assert=verified race=verified memory=verified (Michael and Scott's queue; nodes go when no hazard pointer names them)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node *_Atomic head;
static struct node *_Atomic tail;
static struct node *_Atomic hazards[2];  // of the head that a thread looks at; the tail is never freed here

static struct node *made(int value) {
  struct node *node = malloc(sizeof *node);
  if (!node) exit(1);
  node->value = value;
  atomic_init(&node->next, 0);
  return node;
}

static void push(int value) {
  struct node *node = made(value);
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire), *next = 0;
    if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release, memory_order_acquire)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
      return;
    }
    atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
  }
}

static int pop(int self) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_relaxed);
    atomic_store_explicit(&hazards[self], first, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&head, memory_order_acquire) != first) continue;
    struct node *last = atomic_load_explicit(&tail, memory_order_relaxed);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (!next) return 0;
    if (first == last) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (!atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed)) continue;
    const int value = next->value;
    atomic_store_explicit(&hazards[self], 0, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&hazards[1 - self], memory_order_acquire) != first) free(first);
    return value;
  }
}

static void *worker(void *arg) {
  const int value = pop(1);
  assert(value == 0 || value == 10);
  return arg;
}

int main(void) {
  struct node *dummy = made(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  push(10);
  const int value = pop(0);
  assert(value == 0 || value == 10);
  pthread_join(thread, 0);
  return 0;
}
