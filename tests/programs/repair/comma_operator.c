// EXPECT: race=violated (two updates in one expression)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int left;
static int right;

static void *work(void *arg) {
  left++, right--;
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
