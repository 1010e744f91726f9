// EXPECT: overflow=violated twin=overflow_sum_ok (the sum of two inputs)
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) { int v = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); s = s + v; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
