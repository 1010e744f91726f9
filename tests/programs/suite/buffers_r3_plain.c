// EXPECT: assert=verified (consistent)
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
extern _Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();} }; return; }
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
#include <pthread.h>
#ifndef TRUE
#define TRUE (_Bool)1
#endif
int __unbuffered_cnt = 0;
int __unbuffered_p1_EAX = 0;
int __unbuffered_p2_EAX = 0;
_Bool main$tmp_guard0;
_Bool main$tmp_guard1;
int x = 0;
int y = 0;
int z = 0;
_Bool weak$$choice0;
_Bool weak$$choice2;
void *P0(void *arg) { (void)arg;
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  y = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_cnt = __unbuffered_cnt + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *P1(void *arg) { (void)arg;
  __VERIFIER_atomic_begin();
  y = 2;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_p1_EAX = z;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_cnt = __unbuffered_cnt + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *P2(void *arg) { (void)arg;
  __VERIFIER_atomic_begin();
  z = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_p2_EAX = x;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_cnt = __unbuffered_cnt + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t0;
  pthread_create(&t0, ((void *)0), P0, ((void *)0));
  pthread_t t1;
  pthread_create(&t1, ((void *)0), P1, ((void *)0));
  pthread_t t2;
  pthread_create(&t2, ((void *)0), P2, ((void *)0));
  __VERIFIER_atomic_begin();
  main$tmp_guard0 = __unbuffered_cnt == 3;
  __VERIFIER_atomic_end();
  assume_abort_if_not(main$tmp_guard0);
  __VERIFIER_atomic_begin();
  main$tmp_guard1 = !(y == 2 && __unbuffered_p1_EAX == 0 && __unbuffered_p2_EAX == 0);
  __VERIFIER_atomic_end();
  __VERIFIER_assert(main$tmp_guard1);
  return 0;
}
