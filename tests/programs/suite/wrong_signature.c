// EXPECT: assert=verified (thread functions without a result or parameter)
#include <pthread.h>
#include <assert.h>
int g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void thr1() { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); }
int thr2(int *p) { pthread_mutex_lock(&m); g += *p; pthread_mutex_unlock(&m); return 3; }
int main() { pthread_t a, b; int k = 2; pthread_create(&a, 0, (void *)thr1, 0); pthread_create(&b, 0, (void *(*)(void *))thr2, &k); pthread_join(a, 0); pthread_join(b, 0); assert(g == 3); return 0; }
