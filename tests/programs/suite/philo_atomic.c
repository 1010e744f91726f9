// EXPECT: deadlock=verified assert=verified (five philosophers, the last takes the other hand first)
#include <pthread.h>
#include <assert.h>
#define N 5
pthread_mutex_t f[N]; int eating[N];
void *phil(void *p) { long i = (long)p; long l = i, r = (i + 1) % N; if (i == N - 1) { l = 0; r = N - 1; }
  pthread_mutex_lock(&f[l]); pthread_mutex_lock(&f[r]); eating[i] = 1; assert(!eating[(i + 1) % N] || i == (i + 1) % N); eating[i] = 0; pthread_mutex_unlock(&f[r]); pthread_mutex_unlock(&f[l]); return 0; }
int main(void) { pthread_t t[N]; for (int i = 0; i < N; i++) pthread_mutex_init(&f[i], 0); for (long i = 0; i < N; i++) pthread_create(&t[i], 0, phil, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return 0; }
