// EXPECT: assert=violated (an addition is lost between two swaps)
#include <assert.h>
#include <pthread.h>

static int memory;

static void add(int v) {
  for (int tries = 0; tries < 2; tries++) {
    int old = __atomic_load_n(&memory, __ATOMIC_SEQ_CST);
    int got = __atomic_exchange_n(&memory, old + v, __ATOMIC_SEQ_CST);
    if (got == old) break;
    __atomic_store_n(&memory, got, __ATOMIC_SEQ_CST);
  }
}

static void *first(void *unused) {
  add(1);
  return unused;
}

static void *second(void *unused) {
  add(1);
  add(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(memory == 4);
  return 0;
}
