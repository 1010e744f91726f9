// EXPECT: assert=verified misuse=violated twin=rwlock_held (unlocks what it has not locked)
#include <assert.h>
#include <pthread.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg) {
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
