// EXPECT: race=violated (a switch inside a loop, with continue and return)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int mode;
static int passes;

static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    switch (mode) {
      case 0:
        mode = 1;
        continue;
      case 1:
        passes++;
        break;
      default:
        return NULL;
    }
    mode = 2;
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
