// EXPECT: deadlock=verified misuse=verified (a cleanup handler unlocks)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void un(void *p) { pthread_mutex_unlock(p); }
void *w(void *a) { pthread_mutex_lock(&m); pthread_cleanup_push(un, &m); if (a) pthread_exit(0); pthread_cleanup_pop(1); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, &m); pthread_join(t, 0); pthread_join(u, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
