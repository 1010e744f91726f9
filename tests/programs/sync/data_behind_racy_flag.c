// EXPECT: race=violated assert=verified twin=data_behind_atomic_flag (the flag races, so it orders nothing: the accesses to what it guards race, too)
#include <assert.h>
#include <pthread.h>

static int ready, data;

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
