// EXPECT: assert=verified (the twin of mozilla_61369.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int handle;

static void *creator(void *unused) {
  handle = 1;
  return unused;
}

static void *thread_main(void *unused) {
  assert(handle != 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, creator, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, thread_main, NULL);
  pthread_join(b, NULL);
  return 0;
}
