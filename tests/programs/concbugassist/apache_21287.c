// EXPECT: assert=violated (the decrement and the test for zero are separate)
#include <assert.h>
#include <pthread.h>

static int ref_count = 2, freed;

static void *release(void *unused) {
  __atomic_sub_fetch(&ref_count, 1, __ATOMIC_SEQ_CST);
  if (ref_count == 0) freed = freed + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, release, NULL);
  pthread_create(&b, NULL, release, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(freed == 1);
  return 0;
}
