// EXPECT: assert=verified deadlock=verified race=verified twin=cas_weak_once (tries again until another one was first)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int taken, winners, total;

static void *take(void *unused) {
  int expected = 0, seen = atomic_load(&total);
  while (!atomic_compare_exchange_weak(&taken, &expected, 1) && expected == 0) {
  }
  if (expected == 0) winners++;
  while (!atomic_compare_exchange_weak(&total, &seen, seen + 2)) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(winners == 1 && total == 4);
  return 0;
}
