// EXPECT: deadlock=verified assert=verified (a flag keeps what the signal said)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int told; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); while (!told) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_mutex_lock(&m); told = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(i, 0); return 0; }
