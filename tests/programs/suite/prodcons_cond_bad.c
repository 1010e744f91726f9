// EXPECT: deadlock=violated race=verified twin=prodcons_cond_broadcast (one condition variable for both sides and signal, two of each)
#include <pthread.h>
#define N 1
int buf[N], count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
void put(int v) { pthread_mutex_lock(&m); while (count == N) pthread_cond_wait(&cv, &m); buf[0] = v; count++; pthread_cond_signal(&cv); pthread_mutex_unlock(&m); }
int get(void) { pthread_mutex_lock(&m); while (count == 0) pthread_cond_wait(&cv, &m); int v = buf[0]; count--; pthread_cond_signal(&cv); pthread_mutex_unlock(&m); return v; }
void *prod(void *a) { put(1); return 0; }
void *prod2(void *a) { put(1); return 0; }
void *cons(void *a) { get(); return 0; }
int main(void) { pthread_t p, p2, c, c2; pthread_create(&c, 0, cons, 0); pthread_create(&c2, 0, cons, 0); pthread_create(&p, 0, prod, 0); pthread_create(&p2, 0, prod2, 0); pthread_join(p, 0); pthread_join(p2, 0); pthread_join(c, 0); pthread_join(c2, 0); return 0; }
