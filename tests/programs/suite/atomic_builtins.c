// EXPECT: assert=verified race=verified (all forms of the gcc builtins)
#include <pthread.h>
#include <assert.h>
#include <stdbool.h>
int v = 0, count = 0; char flag; long l; unsigned u = 0xf0;
void *f(void *a) { (void)a;
  __atomic_fetch_add(&count, 1, __ATOMIC_ACQ_REL);
  __sync_fetch_and_add(&l, 2);
  while (__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST)) ;
  v++;
  __atomic_clear(&flag, __ATOMIC_SEQ_CST);
  int e = 5, d = 6;
  int x = 5;
  assert(__atomic_compare_exchange(&x, &e, &d, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(x == 6);
  __atomic_fetch_nand(&u, 0xffffffffu, __ATOMIC_RELAXED);
  int y, z = 3;
  __atomic_store(&x, &z, __ATOMIC_SEQ_CST);
  __atomic_load(&x, &y, __ATOMIC_SEQ_CST);
  assert(y == 3);
  __atomic_exchange(&x, &e, &y, __ATOMIC_SEQ_CST);
  assert(y == 3);
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(count == 2 && v == 2 && l == 4 && u == 0xf0);
  __sync_synchronize(); __atomic_thread_fence(__ATOMIC_SEQ_CST); __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return 0;
}
