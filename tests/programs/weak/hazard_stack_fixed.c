// EXPECT: assert=verified race=verified memory=verified (a stack whose nodes are freed when no hazard pointer names them)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic top;
static struct node *_Atomic hazards[2];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  if (!node) exit(1);
  node->value = value;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed)) {
  }
}

static int pop(int self) {
  struct node *seen;
  for (;;) {
    seen = atomic_load_explicit(&top, memory_order_relaxed);
    if (!seen) return 0;
    atomic_store_explicit(&hazards[self], seen, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&top, memory_order_acquire) != seen) continue;
    if (atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, memory_order_relaxed, memory_order_relaxed))
      break;
  }
  atomic_store_explicit(&hazards[self], 0, memory_order_release);
  const int value = seen->value;
  atomic_thread_fence(memory_order_seq_cst);
  // Whoever is left with it will not free it: a leak is no matter here.
  if (atomic_load_explicit(&hazards[1 - self], memory_order_acquire) != seen) free(seen);
  return value;
}

static void *worker(void *arg) {
  const int value = pop(1);
  assert(value == 0 || value == 10);
  return arg;
}

int main(void) {
  push(10);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  const int value = pop(0);
  assert(value == 0 || value == 10);
  pthread_join(thread, 0);
  return 0;
}
