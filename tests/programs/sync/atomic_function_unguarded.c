// EXPECT: assert=violated race=violated twin=atomic_function (takes the lock that another holds)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int lock, count;

static void __VERIFIER_atomic_acquire(void) {
  lock = 1;
}

static void __VERIFIER_atomic_release(void) {
  assert(lock == 1);
  lock = 0;
}

static void *add(void *arg) {
  __VERIFIER_atomic_acquire();
  count = count + 1;
  __VERIFIER_atomic_release();
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, add, 0);
  pthread_create(&t2, 0, add, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(count == 2);
  return 0;
}
