// EXPECT: race=violated (accesses in nested blocks)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int depth;

static void *work(void *arg) {
  {
    int one = 1;
    {
      depth += one;
      if (depth > 1) {
        depth--;
        return NULL;
      }
    }
  }
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
