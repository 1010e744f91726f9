// EXPECT: race=violated (both arms of a conditional operator read)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int a_value;
static int b_value = 1;

static void *work(void *arg) {
  int larger = a_value > b_value ? a_value : b_value;
  a_value = larger + 1;
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
