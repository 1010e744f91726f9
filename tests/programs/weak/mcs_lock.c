// EXPECT: race=violated (handed over relaxed)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct waiter {
  struct waiter *_Atomic next;
  atomic_int waits;
};

static struct waiter *_Atomic tail;
static struct waiter waiters[2];
static int counter;

static void lock(struct waiter *self) {
  atomic_store_explicit(&self->next, 0, memory_order_relaxed);
  atomic_store_explicit(&self->waits, 1, memory_order_relaxed);
  struct waiter *before = atomic_exchange_explicit(&tail, self, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit(&before->next, self, memory_order_release);
  while (atomic_load_explicit(&self->waits, memory_order_acquire)) {
  }
}

static void unlock(struct waiter *self) {
  struct waiter *next = atomic_load_explicit(&self->next, memory_order_acquire);
  if (!next) {
    struct waiter *expected = self;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&self->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&next->waits, 0, memory_order_relaxed);
}

static void *other(void *arg) {
  lock(&waiters[1]);
  counter++;
  unlock(&waiters[1]);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  lock(&waiters[0]);
  counter++;
  unlock(&waiters[0]);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
