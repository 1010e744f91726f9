// EXPECT: assert=verified memory=verified (a VLA of handles, the number from an input)
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void); extern void abort(void);
int c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return a; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) abort(); pthread_t id[n]; for (int i = 0; i < n; i++) pthread_create(&id[i], 0, t, 0); for (int i = 0; i < n; i++) pthread_join(id[i], 0); assert(c == n); return 0; }
