// EXPECT: assert=verified race=verified misuse=verified (a static mutex of zeros)
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m; int x;
void *t(void *a) { (void)a; pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main() { pthread_t i; pthread_create(&i, 0, t, 0); t(0); pthread_join(i, 0); assert(x == 2); return 0; }
