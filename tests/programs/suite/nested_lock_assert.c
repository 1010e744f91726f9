// EXPECT: assert=verified deadlock=violated twin=nested_lock_one_order (nested locks in two orders)
#include <pthread.h>
#include <assert.h>
pthread_mutex_t a, b; int x;
void *t1(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++; assert(x == 1); x--; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
void *t2(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); x++; assert(x == 1); x--; pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) { pthread_t s, t; pthread_mutex_init(&a, 0); pthread_mutex_init(&b, 0); pthread_create(&s, 0, t1, 0); pthread_create(&t, 0, t2, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
