// EXPECT: race=violated assert=violated twin=span_ring_fixed (the tail is moved before the slot is written)
// PATCH, written before the tool ran: in ring_push
//   -  atomic_store(&ring->tail, tail + 1);
//      ring->spans[tail % ROOM] = span;
//   +  atomic_store(&ring->tail, tail + 1);
// Review: "write the slot first, then publish it by storing `tail`."
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
int __VERIFIER_nondet_int(void);

#define ROOM 2u

struct span {
  int begin;
  int length;
};

struct ring {
  atomic_uint head;
  atomic_uint tail;
  struct span spans[ROOM];
};

static bool ring_push(struct ring *ring, struct span span) {
  unsigned tail = atomic_load(&ring->tail);
  if (tail - atomic_load(&ring->head) == ROOM)
    return false;
  atomic_store(&ring->tail, tail + 1);
  ring->spans[tail % ROOM] = span;
  return true;
}

static bool ring_pop(struct ring *ring, struct span *span) {
  unsigned head = atomic_load(&ring->head);
  if (head == atomic_load(&ring->tail))
    return false;
  *span = ring->spans[head % ROOM];
  atomic_store(&ring->head, head + 1);
  return true;
}

static struct ring ring;

static void *drain(void *arg) {
  int *total = arg;
  struct span span;
  for (int i = 0; i < 2; i++)
    if (ring_pop(&ring, &span)) {
      assert(span.length == 3);
      *total += span.length;
    }
  return NULL;
}

int main(void) {
  pthread_t thread;
  int total = 0;
  int at = __VERIFIER_nondet_int();
  if (pthread_create(&thread, NULL, drain, &total) != 0)
    return 0;
  bool first = ring_push(&ring, (struct span){at, 3});
  bool second = ring_push(&ring, (struct span){at, 3});
  assert(first && second);
  pthread_join(thread, NULL);
  struct span span;
  while (ring_pop(&ring, &span))
    total += span.length;
  assert(total == 6);
  return 0;
}
