// EXPECT: deadlock=verified (all take the lower one first)
#include <pthread.h>
#define N 5
pthread_mutex_t f[N];
void *phil(void *p) { long i = (long)p, j = (i + 1) % N, l = i < j ? i : j, h = i < j ? j : i; pthread_mutex_lock(&f[l]); pthread_mutex_lock(&f[h]); pthread_mutex_unlock(&f[h]); pthread_mutex_unlock(&f[l]); return 0; }
int main(void) { pthread_t t[N]; for (int i = 0; i < N; i++) pthread_mutex_init(&f[i], 0); for (long i = 0; i < N; i++) pthread_create(&t[i], 0, phil, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return 0; }
