// EXPECT: race=verified assert=verified (a barrier orders)
#include <pthread.h>
#include <assert.h>
int x; pthread_barrier_t b;
void *t(void *a) { x = 1; pthread_barrier_wait(&b); return a; }
int main(void) { pthread_t id; pthread_barrier_init(&b, 0, 2); pthread_create(&id, 0, t, 0); pthread_barrier_wait(&b); assert(x == 1); x = 2; pthread_join(id, 0); return 0; }
