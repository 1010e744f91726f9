// EXPECT: assert=verified race=verified deadlock=violated twin=rwlock_upgrade_released (a reader that wants to write waits for itself)
#include <assert.h>
#include <pthread.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *update(void *arg) {
  pthread_rwlock_rdlock(&l);
  int seen = x;
  if (seen == 0) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
  }
  pthread_rwlock_unlock(&l);
  assert(seen == 0 || seen == 1);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, update, 0);
  pthread_create(&t2, 0, update, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
