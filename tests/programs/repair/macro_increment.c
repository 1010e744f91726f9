// EXPECT: assert=violated race=violated (the access comes out of a macro)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define BUMP(v) ((v)++)
#define TWICE(v) \
  do {           \
    BUMP(v);     \
    BUMP(v);     \
  } while (0)

static int ticks;

static void *work(void *arg) {
  TWICE(ticks);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(ticks == 4);
  return 0;
}
