// EXPECT: race=verified assert=verified (a semaphore orders)
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
int x; sem_t s;
void *t(void *a) { x = 1; sem_post(&s); return a; }
int main(void) { pthread_t id; sem_init(&s, 0, 0); pthread_create(&id, 0, t, 0); sem_wait(&s); assert(x == 1); x = 2; return 0; }
