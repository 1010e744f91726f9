// The lock-free queue of Michael and Scott, MPC paper, Table 2: ENQ threads put values, DEQ threads take some. K=0: one each.
// Else, as the paper's driver has it, an input says how many each thread puts or takes, at most K.
//
// No bug: what is taken was put and is taken once. Loops end by themselves, as each retry needs another thread's progress.
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
#ifndef K
#define K 0
#endif

int heddle_input_int(void);

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

static void put(int value) {
  struct node *node = makeNode(value);
  for (;;) {
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
}

/// 0 when the queue is empty.
static int take(void) {
  for (;;) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (first == last) {
      if (next == NULL) return 0;
      atomic_compare_exchange_strong(&tail, &last, next);
    } else {
      int value = next->value;
      if (atomic_compare_exchange_strong(&head, &first, next)) return value;
    }
  }
}

static int rounds(void) {
#if K > 0
  int wanted = heddle_input_int();
  return wanted > K ? 0 : wanted;
#else
  return 1;
#endif
}

static void *putter(void *number) {
  for (int left = rounds(); left > 0; left--) put((int)(long)number);
  return NULL;
}

static void *taker(void *result) {
  for (int left = rounds(); left > 0; left--) *(int *)result = take();
  return NULL;
}

int main(void) {
  pthread_t threads[ENQ + DEQ];
  int results[DEQ] = {0};
  struct node *dummy = makeNode(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  for (long k = 0; k < ENQ; k++) pthread_create(&threads[k], NULL, putter, (void *)(k + 1));
  for (int k = 0; k < DEQ; k++) pthread_create(&threads[ENQ + k], NULL, taker, &results[k]);
  for (int k = 0; k < ENQ + DEQ; k++) pthread_join(threads[k], NULL);
  for (int k = 0; k < DEQ; k++) {
    int value = results[k];
    assert(0 <= value && value <= ENQ);
    for (int other = 0; other < k; other++) assert(K > 0 || value == 0 || value != results[other]);
  }
  return 0;
}
