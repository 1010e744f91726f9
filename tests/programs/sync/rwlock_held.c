// EXPECT: assert=verified misuse=verified (unlocks what it has locked)
#include <assert.h>
#include <pthread.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg) {
  pthread_rwlock_rdlock(&l);
  if (x == 0) pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
