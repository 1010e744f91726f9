// EXPECT: memory=verified (as many elements as threads, and a lock)
#include <pthread.h>
int a[3], i; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *p) { (void)p; pthread_mutex_lock(&m); a[i++] = 1; pthread_mutex_unlock(&m); return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); t(0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
