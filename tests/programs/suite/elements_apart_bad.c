// EXPECT: race=violated twin=elements_apart (the thirds overlap by one)
#include <pthread.h>
#define N 31
int a[N];
void *w(void *x) { long k = (long)x; for (long i = k * 10; i <= k * 10 + 10; i++) a[i] = i; return 0; }
int main(void) { pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)i); for (long i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }
