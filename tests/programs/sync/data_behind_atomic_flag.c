// EXPECT: race=verified assert=verified (an atomic flag orders what is written before it and read after it)
#include <assert.h>
#include <pthread.h>

static _Atomic int ready; static int data;

static void *produce(void *unused) {
  data = 42;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  while (!ready)
    ;
  assert(data == 42);
  pthread_join(t, 0);
  return 0;
}
