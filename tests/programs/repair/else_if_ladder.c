// EXPECT: race=violated (a ladder of conditions on a shared level)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int level;

static void *work(void *arg) {
  if (level == 0)
    level = 1;
  else if (level == 1)
    level = 2;
  else {
    level = 0;
    return NULL;
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
