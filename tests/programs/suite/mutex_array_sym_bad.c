// EXPECT: race=violated assert=violated twin=mutex_array_sym (the lock's index and the cell's differ for one value)
#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define N 4
pthread_mutex_t m[N]; int acc[N];
void *w(void *a) { unsigned i = __VERIFIER_nondet_uint(); pthread_mutex_lock(&m[i % N]); int k = (i / 16) % N == 3 ? 0 : i % N; int old = acc[k]; acc[k] = old + 1; assert(acc[k] == old + 1); pthread_mutex_unlock(&m[i % N]); return 0; }
int main(void) { for (int i = 0; i < N; i++) pthread_mutex_init(&m[i], 0); pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
