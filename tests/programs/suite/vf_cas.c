// EXPECT: assert=verified (atomic functions that compare and swap)
#include <pthread.h>
extern void abort(void);
void reach_error(void) {}
int value, m;
void __VERIFIER_atomic_CAS(volatile int *v, int e, int u, int *r) { if (*v == e) { *v = u; *r = 1; } else { *r = 0; } }
void __VERIFIER_atomic_acquire(void) { if (!(m == 0)) { while (1) ; } m = 1; }
void __VERIFIER_atomic_release(void) { m = 0; }
void __VERIFIER_atomic_assert(int r, int v) { if (!(r == 0 || v == value)) { reach_error(); } }
void *inc(void *a) { int v, vn, flag; do { v = value; vn = v + 1; __VERIFIER_atomic_CAS(&value, v, vn, &flag); } while (flag == 0); return 0; }
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, inc, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); if (value != 3) reach_error(); return 0; }
