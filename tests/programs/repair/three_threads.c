// EXPECT: assert=violated race=violated (three workers)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *work(void *arg) {
  if (counter < 10)
    counter += 1;
  return arg;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(counter == 3);
  return 0;
}
