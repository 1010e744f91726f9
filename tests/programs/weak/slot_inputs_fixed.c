// EXPECT: race=verified (the index is acquired before the slot that it names is read)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

#define SLOTS 4

static int slots[SLOTS];
static atomic_int chosen = -1;

static void *writer(void *arg) {
  int slot = __VERIFIER_nondet_int();
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(slot >= 0 && slot < SLOTS && value > 1000);
  slots[slot] = value;
  atomic_store_explicit(&chosen, slot, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int slot = atomic_load_explicit(&chosen, memory_order_acquire);
  if (slot >= 0) assert(slots[slot] > 1000);
  pthread_join(thread, 0);
  return 0;
}
