// EXPECT: race=violated (two pointers change places)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int one = 1, two = 2;
static int *front = &one;
static int *back = &two;

static void *work(void *arg) {
  int *old = front;
  front = back;
  back = old;
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
