// EXPECT: memory=violated twin=free_checked (freed under the lock, used without a check)
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int *p;
void *t(void *a) { pthread_mutex_lock(&m); free(p); p = 0; pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t i; p = malloc(sizeof *p); *p = 1; pthread_create(&i, 0, t, 0); pthread_mutex_lock(&m); *p = 2; pthread_mutex_unlock(&m); pthread_join(i, 0); return 0; }
