// EXPECT: race=violated twin=rwlock_initialized_first (the lock is initialized beside its users)
#include <pthread.h>

static pthread_rwlock_t m;
static int value;

static void *setUp(void *unused) {
  pthread_rwlock_init(&m, NULL);
  pthread_rwlock_wrlock(&m);
  value = 42;
  pthread_rwlock_unlock(&m);
  return unused;
}

static void *use(void *unused) {
  pthread_rwlock_wrlock(&m);
  value++;
  pthread_rwlock_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, setUp, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
