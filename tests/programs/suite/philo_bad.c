// EXPECT: deadlock=violated twin=philo_ordered (all take the left one first)
#include <pthread.h>
#define N 5
pthread_mutex_t f[N];
void *phil(void *p) { long i = (long)p; pthread_mutex_lock(&f[i]); pthread_mutex_lock(&f[(i + 1) % N]); pthread_mutex_unlock(&f[(i + 1) % N]); pthread_mutex_unlock(&f[i]); return 0; }
int main(void) { pthread_t t[N]; for (int i = 0; i < N; i++) pthread_mutex_init(&f[i], 0); for (long i = 0; i < N; i++) pthread_create(&t[i], 0, phil, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return 0; }
