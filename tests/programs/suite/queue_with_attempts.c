// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (each call has a variable of its own, to which it gives a pointer)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
};

static struct node head, items[2], none;
static _Atomic(struct node *) tail = &head;

static bool give_up(int *attempt) {
  if (++*attempt >= 3) *attempt = 0;
  return true;
}

static struct node *next_of(struct node *node) {
  struct node *next;
  int attempt = 0;
  while ((next = atomic_load(&node->next)) == NULL)
    if (give_up(&attempt)) return &none;
  return next;
}

static void append(struct node *node) {
  struct node *old = atomic_exchange(&tail, node);
  atomic_store(&old->next, node);
}

static struct node *take(void) {
  if (atomic_load(&head.next) == NULL && atomic_load(&tail) == &head) return NULL;
  struct node *node = next_of(&head), *next;
  if (node == &none) return node;
  next = atomic_load(&node->next);
  if (next == NULL) {
    atomic_store(&head.next, NULL);
    struct node *expected = node;
    if (atomic_compare_exchange_strong(&tail, &expected, &head)) return node;
    next = next_of(node);
    if (next == &none) {
      atomic_store(&head.next, node);
      return next;
    }
  }
  atomic_store(&head.next, next);
  return node;
}

static void *producer(void *unused) {
  for (int i = 0; i < 2; i++) append(&items[i]);
  return unused;
}

int main(void) {
  pthread_t thread;
  int taken = 0;
  pthread_create(&thread, 0, producer, 0);
  for (int k = 0; k < 3; k++) {
    struct node *node = take();
    if (node != NULL && node != &none) taken++;
  }
  pthread_join(thread, 0);
  assert(taken <= 2);
  return 0;
}
