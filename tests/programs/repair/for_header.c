// EXPECT: race=violated (the head of a for reads a shared limit)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int limit = 1;
static int work_done;

static void *work(void *arg) {
  for (int i = 0; i < limit; i++) {
    if (i == 2)
      break;
    work_done++;
  }
  limit = 2;
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
