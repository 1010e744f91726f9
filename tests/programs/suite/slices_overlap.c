// EXPECT: race=violated twin=slices_written_apart (the halves of 100,000 elements overlap by one)
#include <pthread.h>
#define N 100000
int a[N + 1];
void *w(void *p) { long k = (long)p; for (int i = k * N / 2; i <= (k + 1) * N / 2; i++) a[i] = i % 3; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1); pthread_join(t, 0); pthread_join(u, 0); return 0; }
