// EXPECT: race=violated twin=goblint_ptr_lock (the lock of the other)
#include <pthread.h>
#include <stdlib.h>
struct cache { pthread_mutex_t lock; int hits; } c0 = { PTHREAD_MUTEX_INITIALIZER, 0 }, c1 = { PTHREAD_MUTEX_INITIALIZER, 0 };
void *w(void *a) { pthread_mutex_lock(&c0.lock); c0.hits++; pthread_mutex_unlock(&c0.lock); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct cache *c = rand() % 2 ? &c0 : &c1; pthread_mutex_lock(&c->lock); c0.hits++; pthread_mutex_unlock(&c->lock); pthread_join(t, 0); return 0; }
