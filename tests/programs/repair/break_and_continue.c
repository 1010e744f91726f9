// EXPECT: race=violated (a search that leaves its loop)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int found;
static int tries;

static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    if (found)
      break;
    tries++;
    if (i == 0)
      continue;
    found = 1;
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
