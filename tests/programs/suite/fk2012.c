// EXPECT: assert=verified (two producers, one consumer with a count of locks)
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int();
void __VERIFIER_atomic_begin(); void __VERIFIER_atomic_end();
#include <pthread.h>
#include <assert.h>
int s, t; 
void *thr1(void *a) { (void)a; int l = s; l = l + 1; __VERIFIER_atomic_begin(); s++; __VERIFIER_atomic_end(); return 0; }
void *thr2(void *a) { (void)a;
  int c = 0;
  while (__VERIFIER_nondet_int() && c < 2) {
    __VERIFIER_atomic_begin(); assume_abort_if_not(s > 0); s--; t++; __VERIFIER_atomic_end();
    c++;
  }
  assert(s >= 0);
  return 0;
}
int main() {
  pthread_t a, b, c;
  pthread_create(&a, 0, thr1, 0); pthread_create(&b, 0, thr1, 0); pthread_create(&c, 0, thr2, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
  return 0;
}
