// EXPECT: assert=verified race=verified (halves of 100,000 elements; main sums them up after the joins)
#include <assert.h>
#include <pthread.h>
#define N 100000
int a[N];
void *w(void *p) { long k = (long)p; for (int i = k * N / 2; i < (k + 1) * N / 2; i++) a[i] = i % 3; return 0; }
int main(void) { pthread_t t, u; long s = 0; pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1); pthread_join(t, 0); pthread_join(u, 0); for (int i = 0; i < N; i++) s += a[i]; assert(s == 99999); return 0; }
