// EXPECT: assert=violated race=violated (a 64-bit sum)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long long bytes = 1;

static void *work(void *arg) {
  bytes = bytes * 2;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(bytes == 4);
  return 0;
}
