// EXPECT: assert=verified (counter flip with two readers)
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int idx = 0, ctr1 = 1, ctr2 = 0, readerprogress1 = 0, readerprogress2 = 0;
pthread_mutex_t mutex;
void __VERIFIER_atomic_use1(int myidx) { __VERIFIER_assume(myidx <= 0 && ctr1 > 0); ctr1++; }
void __VERIFIER_atomic_use2(int myidx) { __VERIFIER_assume(myidx >= 1 && ctr2 > 0); ctr2++; }
void __VERIFIER_atomic_use_done(int myidx) { if (myidx <= 0) { ctr1--; } else { ctr2--; } }
void __VERIFIER_atomic_take_snapshot(int *rs1, int *rs2) { *rs1 = readerprogress1; *rs2 = readerprogress2; }
void __VERIFIER_atomic_check1(int rs1) { __VERIFIER_assume(rs1 == 1 && readerprogress1 == 1); assert(0); }
void *qrcu_reader1(void *arg) { (void)arg;
  int myidx;
  while (1) {
    myidx = idx;
    if (__VERIFIER_nondet_int()) { __VERIFIER_atomic_use1(myidx); break; }
    else if (__VERIFIER_nondet_int()) { __VERIFIER_atomic_use2(myidx); break; }
  }
  readerprogress1 = 1;
  readerprogress1 = 2;
  __VERIFIER_atomic_use_done(myidx);
  return 0;
}
void *qrcu_updater(void *arg) { (void)arg;
  int i, rs1, rs2, sum;
  __VERIFIER_atomic_take_snapshot(&rs1, &rs2);
  if (__VERIFIER_nondet_int()) { sum = ctr1; sum = sum + ctr2; } else { sum = ctr2; sum = sum + ctr1; }
  if (sum <= 1) {
    if (__VERIFIER_nondet_int()) { sum = ctr1; sum = sum + ctr2; } else { sum = ctr2; sum = sum + ctr1; }
  }
  if (sum > 1) {
    pthread_mutex_lock(&mutex);
    if (idx <= 0) { ctr2++; idx = 1; ctr1--; } else { ctr1++; idx = 0; ctr2--; }
    if (idx <= 0) { while (ctr2 > 0) ; } else { while (ctr1 > 0) ; }
    pthread_mutex_unlock(&mutex);
  }
  if (__VERIFIER_nondet_int()) __VERIFIER_atomic_check1(rs1);
  return 0;
}
int main() {
  pthread_t t1, t3;
  pthread_mutex_init(&mutex, 0);
  pthread_create(&t1, 0, qrcu_reader1, 0);
  pthread_create(&t3, 0, qrcu_updater, 0);
  pthread_join(t1, 0); pthread_join(t3, 0);
  return 0;
}
