// EXPECT: race=violated (the condition of a do loop reads the shared sum)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int sum;

static void *work(void *arg) {
  int rounds = 0;
  do {
    sum += 2;
    rounds++;
  } while (sum < 4 && rounds < 2);
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
