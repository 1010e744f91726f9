// The lock-free queue of Michael and Scott, MPC paper, Table 2: ENQ threads put one value each, DEQ threads take one each.
//
// No bug: what is taken was put and is taken once. Loops end by themselves, as each retry needs another thread's
// progress; ATTEMPTS > 0 bounds them as the paper does (then a thread gives up).
//
// Paper, paths and seconds: T=2 K=5 539/246.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ENQ
#define ENQ 1
#endif
#ifndef DEQ
#define DEQ 1
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 0
#endif

struct node {
  int value;
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *makeNode(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
  return node;
}

static int enough(int attempts) { return ATTEMPTS > 0 && attempts >= ATTEMPTS; }

static void *put(void *number) {
  struct node *node = makeNode((int)(long)number);
  for (int attempts = 0; !enough(attempts); attempts++) {
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&last->next);
    if (next == NULL) {
      if (atomic_compare_exchange_strong(&last->next, &next, node)) {
        atomic_compare_exchange_strong(&tail, &last, node);
        break;
      }
    } else {
      atomic_compare_exchange_strong(&tail, &last, next);
    }
  }
  return NULL;
}

static void *take(void *result) {
  for (int attempts = 0; !enough(attempts); attempts++) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (first == last) {
      if (next == NULL) break;
      atomic_compare_exchange_strong(&tail, &last, next);
    } else {
      int value = next->value;
      if (atomic_compare_exchange_strong(&head, &first, next)) {
        *(int *)result = value;
        break;
      }
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[ENQ + DEQ];
  int results[DEQ] = {0};
  struct node *dummy = makeNode(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  for (long k = 0; k < ENQ; k++) pthread_create(&threads[k], NULL, put, (void *)(k + 1));
  for (int k = 0; k < DEQ; k++) pthread_create(&threads[ENQ + k], NULL, take, &results[k]);
  for (int k = 0; k < ENQ + DEQ; k++) pthread_join(threads[k], NULL);
  for (int k = 0; k < DEQ; k++) {
    int value = results[k];
    assert(0 <= value && value <= ENQ);
    for (int other = 0; other < k; other++) assert(value == 0 || value != results[other]);
  }
  return 0;
}
