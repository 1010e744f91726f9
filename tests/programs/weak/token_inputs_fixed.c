// EXPECT: assert=verified (the exchange acquires what the owner did before it gave the token away)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int token = 7, balance;

static void *owner(void *arg) {
  int amount = __VERIFIER_nondet_int();
  if (amount <= 0) return arg;
  atomic_store_explicit(&balance, amount, memory_order_relaxed);
  atomic_store_explicit(&token, amount, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t thread;
  int wanted = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, owner, 0);
  if (wanted > 0 && wanted != 7) {
    int expected = wanted;
    if (atomic_compare_exchange_strong_explicit(&token, &expected, 0, memory_order_acquire, memory_order_relaxed))
      assert(atomic_load_explicit(&balance, memory_order_relaxed) == wanted);
  }
  pthread_join(thread, 0);
  return 0;
}
