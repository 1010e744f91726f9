// EXPECT: assert=violated race=verified twin=cas_weak_retry (a weak compare-exchange may fail although it could succeed, so both may)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int taken, winners;

static void *take(void *unused) {
  int expected = 0;
  if (atomic_compare_exchange_weak(&taken, &expected, 1)) winners++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(winners == 1);
  return 0;
}
