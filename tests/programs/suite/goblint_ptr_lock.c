// EXPECT: race=verified assert=verified (a pointer to one of two locks, the same for data and lock)
#include <pthread.h>
#include <stdlib.h>
struct cache { pthread_mutex_t lock; int hits; } c0 = { PTHREAD_MUTEX_INITIALIZER, 0 }, c1 = { PTHREAD_MUTEX_INITIALIZER, 0 };
void hit(struct cache *c) { pthread_mutex_lock(&c->lock); c->hits++; pthread_mutex_unlock(&c->lock); }
void *w(void *a) { hit(&c0); hit(&c1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); hit(rand() % 2 ? &c0 : &c1); pthread_join(t, 0); return 0; }
