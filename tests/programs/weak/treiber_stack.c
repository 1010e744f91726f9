// EXPECT: race=violated (a node is pushed relaxed)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic top;
static struct node nodes[2];

static void push(struct node *node, int value) {
  node->value = value;
  struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    node->next = seen;
  } while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_relaxed, memory_order_relaxed));
}

static struct node *pop(void) {
  struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
  while (seen && !atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, memory_order_acquire,
                                                          memory_order_acquire)) {
  }
  return seen;
}

static void *first(void *arg) {
  push(&nodes[0], 10);
  return arg;
}

static void *second(void *arg) {
  push(&nodes[1], 20);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  struct node *node = pop();
  if (node) assert(node->value == 10 || node->value == 20);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
