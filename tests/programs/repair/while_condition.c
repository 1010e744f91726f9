// EXPECT: race=violated (a bounded wait reads a flag)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int flag;

static void *work(void *arg) {
  int rounds = 0;
  while (flag == 0 && rounds < 2)
    rounds++;
  flag = 1;
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
