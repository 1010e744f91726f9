// EXPECT: assert=verified (the number of threads is an input)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
int x, y, n;
void *t1(void *arg) { (void)arg; __VERIFIER_atomic_begin(); if (x == y) x++; __VERIFIER_atomic_end(); return 0; }
void *t2(void *arg) { (void)arg; __VERIFIER_atomic_begin(); if (x > n - 1) y = 1; else y = 0; __VERIFIER_atomic_end(); return 0; }
int main() {
  pthread_t a, b;
  n = __VERIFIER_nondet_int();
  assume_abort_if_not(n > 0 && n < 4);
  for (int i = 0; i < n; i++) { pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0); pthread_join(a, 0); pthread_join(b, 0); }
  assert(x < 2);
  return 0;
}
