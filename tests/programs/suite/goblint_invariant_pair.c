// EXPECT: assert=verified race=verified (two variables equal whenever the lock is free)
#include <pthread.h>
#include <assert.h>
int g, h; pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&A); g = h + 1; h = g; pthread_mutex_unlock(&A); pthread_mutex_lock(&A); assert(g == h); pthread_mutex_unlock(&A); return 0; }
int main(void) { pthread_t id[3]; for (int i = 0; i < 3; i++) pthread_create(&id[i], 0, t, 0); pthread_mutex_lock(&A); assert(g == h); pthread_mutex_unlock(&A); for (int i = 0; i < 3; i++) pthread_join(id[i], 0); assert(g == 3); return 0; }
