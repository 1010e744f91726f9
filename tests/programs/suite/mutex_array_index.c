// EXPECT: race=violated twin=mutex_array_index_kept (a lock chosen by a shared index)
#include <pthread.h>
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; int which, data; pthread_mutex_t w = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { (void)a; pthread_mutex_lock(&w); int i = which; pthread_mutex_unlock(&w); pthread_mutex_lock(&m[i]); data++; pthread_mutex_unlock(&m[i]); return 0; }
int main() { pthread_t x; pthread_create(&x, 0, t, 0); pthread_mutex_lock(&w); which = 1; pthread_mutex_unlock(&w); t(0); pthread_join(x, 0); return 0; }
