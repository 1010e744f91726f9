// EXPECT: assert=verified deadlock=verified (spins on trylock)
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
void *t(void *a) { (void)a; while (pthread_mutex_trylock(&m) != 0) ; c++; pthread_mutex_unlock(&m); return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); pthread_join(x, 0); pthread_join(y, 0); assert(c == 2); return 0; }
