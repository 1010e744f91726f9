// EXPECT: assert=verified memory=verified twin=address_comes_back (the block is freed when nobody compares any more)
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
  uintptr_t kept = 0;
  slot = (uintptr_t)malloc(16);
  pthread_create(&t, 0, take, 0);
  uintptr_t own = atomic_exchange(&slot, 0);
  if (own) {
    kept = own;
    generation = 1;
    slot = (uintptr_t)malloc(16);
  }
  pthread_join(t, 0);
  free((void *)kept);
  return 0;
}
