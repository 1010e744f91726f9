// EXPECT: assert=violated race=violated (two unguarded loops)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *work(void *arg) {
  for (int i = 0; i < 2; i++)
    counter++;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 4);
  return 0;
}
