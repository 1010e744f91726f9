// EXPECT: assert=verified race=verified deadlock=verified misuse=verified (both values change under the write lock)
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_rwlock_t l;

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&l);
  return arg;
}

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  assert(x == y);
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_rwlock_init(&l, 0);
  pthread_create(&t1, 0, writer, 0);
  pthread_create(&t2, 0, reader, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_rwlock_destroy(&l);
  return 0;
}
