// EXPECT: deadlock=violated twin=lock_released_at_end (ends with the lock)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_join(i, 0); return 0; }
