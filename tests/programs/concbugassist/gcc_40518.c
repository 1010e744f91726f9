// EXPECT: assert=violated (erase writes the representation that all empty strings share)
#include <assert.h>
#include <pthread.h>

static int refs, length;

static void *erase(void *unused) {
  refs = 0;
  length = 0;
  assert(refs == 0 && length == 0);
  refs = -1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, erase, NULL);
  pthread_create(&b, NULL, erase, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
