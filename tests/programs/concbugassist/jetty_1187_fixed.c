// EXPECT: assert=verified (the twin of jetty_1187.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static volatile int set;

static void *take(void *unused) {
  __atomic_add_fetch(&set, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(set == 2);
  return 0;
}
