// EXPECT: assert=violated (the new thread reads its handle before it is stored)
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
  pthread_create(&b, NULL, thread_main, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
