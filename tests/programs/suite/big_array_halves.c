// EXPECT: assert=verified race=verified (halves of 200, a sum each)
#include <pthread.h>
#include <assert.h>
#define N 200
int a[N]; long sums[2];
void *w(void *p) { long k = (long)p; for (int i = k * N / 2; i < (k + 1) * N / 2; i++) sums[k] += a[i]; return 0; }
int main(void) { for (int i = 0; i < N; i++) a[i] = i; pthread_t t, u; pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1); pthread_join(t, 0); pthread_join(u, 0); assert(sums[0] + sums[1] == N * (N - 1) / 2); return 0; }
