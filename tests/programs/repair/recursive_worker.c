// EXPECT: race=violated (a recursive function counts its calls)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int calls;

static int depth(int n) {
  calls++;
  if (n == 0)
    return calls;
  return depth(n - 1);
}

static void *work(void *arg) {
  depth(1);
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
