// EXPECT: assert=violated race=violated (main writes between create and join)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int shared;

static void *work(void *arg) {
  shared++;
  return arg;
}

int main(void) {
  pthread_t child;
  pthread_create(&child, NULL, work, NULL);
  shared++;
  if (shared > 5) {
    pthread_join(child, NULL);
    return 1;
  }
  pthread_join(child, NULL);
  assert(shared == 2);
  return 0;
}
