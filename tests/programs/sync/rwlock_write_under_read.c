// EXPECT: assert=violated race=violated deadlock=verified twin=rwlock_write (readers are not alone)
#include <assert.h>
#include <pthread.h>

int count;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *add(void *arg) {
  pthread_rwlock_rdlock(&l);
  count = count + 1;
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, add, 0);
  pthread_create(&t2, 0, add, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_rwlock_rdlock(&l);
  assert(count == 2);
  pthread_rwlock_unlock(&l);
  return 0;
}
