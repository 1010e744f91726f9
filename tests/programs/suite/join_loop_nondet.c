// EXPECT: race=verified assert=verified (an input says how many, all are joined)
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void abort(void);
void assume_abort_if_not(int c) { if (!c) abort(); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
void *w(void *a) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main(void) { int n = __VERIFIER_nondet_int(); assume_abort_if_not(n >= 0 && n < 5); pthread_t *t = malloc(n * sizeof *t); for (int i = 0; i < n; i++) pthread_create(t + i, 0, w, 0); for (int i = 0; i < n; i++) pthread_join(t[i], 0); assert(c == n); free(t); return 0; }
