// EXPECT: race=violated twin=rw_writer_write (writes under a read lock)
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
void *t(void *a) { pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l); return a; }
int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); t(0); pthread_join(id, 0); return 0; }
