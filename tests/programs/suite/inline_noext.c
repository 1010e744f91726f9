// EXPECT: race=verified assert=verified (inline without an external definition)
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
inline void inc(void) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); }
void *w(void *a) { inc(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); inc(); pthread_join(t, 0); assert(c == 2); return 0; }
