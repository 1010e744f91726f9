// EXPECT: race=violated (the right side is read only sometimes)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int ready;
static int value;

static void *work(void *arg) {
  if (ready && value == 1)
    value = 2;
  value = 1;
  ready = 1;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
