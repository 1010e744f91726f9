// EXPECT: misuse=verified deadlock=verified (each unlocks what it holds itself)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t i; pthread_mutex_lock(&m); pthread_create(&i, 0, t, 0); pthread_mutex_unlock(&m); pthread_join(i, 0); return 0; }
