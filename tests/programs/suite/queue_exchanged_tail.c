// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (a variable that only some calls write is the same afterwards)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
};

static struct node head, one, two;
static _Atomic(struct node *) tail = &head;

static void append(struct node *node) {
  struct node *old = atomic_exchange(&tail, node);
  atomic_store(&old->next, node);
}

static struct node *take(void) {
  struct node *node = atomic_load(&head.next), *next;
  if (node == NULL) return NULL;
  next = atomic_load(&node->next);
  if (next == NULL) {
    struct node *expected = node;
    if (atomic_compare_exchange_strong(&tail, &expected, &head)) return node;
    next = atomic_load(&node->next);
  }
  atomic_store(&head.next, next);
  return node;
}

static void *producer(void *unused) {
  append(&one);
  append(&two);
  return unused;
}

int main(void) {
  pthread_t thread;
  int taken = 0;
  pthread_create(&thread, 0, producer, 0);
  for (int k = 0; k < 2; k++)
    if (take() != NULL) taken++;
  pthread_join(thread, 0);
  assert(taken <= 2);
  return 0;
}
