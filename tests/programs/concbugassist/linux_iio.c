// EXPECT: assert=violated (a use count is decremented and tested in separate steps)
#include <assert.h>
#include <pthread.h>

static int use_count = 2, reenabled;

static void *done(void *unused) {
  int left = use_count - 1;
  use_count = left;
  if (use_count == 0) reenabled = reenabled + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, done, NULL);
  pthread_create(&b, NULL, done, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(use_count == 0 && reenabled == 1);
  return 0;
}
