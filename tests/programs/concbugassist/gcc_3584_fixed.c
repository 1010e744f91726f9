// EXPECT: assert=verified (the twin of gcc_3584.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int memory;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void add(int v) {
  pthread_mutex_lock(&guard);
  for (int tries = 0; tries < 2; tries++) {
    int old = __atomic_load_n(&memory, __ATOMIC_SEQ_CST);
    int got = __atomic_exchange_n(&memory, old + v, __ATOMIC_SEQ_CST);
    if (got == old) break;
    __atomic_store_n(&memory, got, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&guard);
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
