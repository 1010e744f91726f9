// EXPECT: assert=verified deadlock=verified misuse=verified (locks twice)
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m; int c;
void inc(void) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); }
void *t(void *a) { pthread_mutex_lock(&m); inc(); inc(); pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_mutexattr_t at; pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &at); pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); pthread_join(x, 0); pthread_join(y, 0); assert(c == 4); return 0; }
