// EXPECT: assert=violated memory=verified twin=address_kept_back (ABA: between the look and the exchange the block is freed, and its address given to another one)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t slot;
static _Atomic int generation;

static void *take(void *unused) {
  uintptr_t seen = slot;
  if (!seen) return 0;
  int before = generation;
  if (atomic_compare_exchange_strong(&slot, &seen, 0)) {
    assert(generation == before);
    free((void *)seen);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  slot = (uintptr_t)malloc(16);
  pthread_create(&t, 0, take, 0);
  uintptr_t own = atomic_exchange(&slot, 0);
  if (own) {
    free((void *)own);
    generation = 1;
    slot = (uintptr_t)malloc(16);
  }
  pthread_join(t, 0);
  return 0;
}
