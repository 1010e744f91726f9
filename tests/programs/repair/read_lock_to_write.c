// EXPECT: assert=violated race=violated (writes under a lock that is held for reading)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int size;

static void *grow(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int before = size;
  size = before + 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, grow, NULL);
  pthread_create(&b, NULL, grow, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(size == 2);
  return 0;
}
