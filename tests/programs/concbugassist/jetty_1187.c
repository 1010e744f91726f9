// EXPECT: assert=violated (the next selector set is taken by a plain increment)
#include <assert.h>
#include <pthread.h>

static volatile int set;

static void *take(void *unused) {
  set++;
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
