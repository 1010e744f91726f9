// EXPECT: assert=violated (main relies on a flag that it checked before)
#include <assert.h>
#include <pthread.h>

static int x = 1;

static void *clear(void *unused) {
  x = 0;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, clear, NULL);
  if (x != 0) {
    assert(x != 0);
  }
  return 0;
}
