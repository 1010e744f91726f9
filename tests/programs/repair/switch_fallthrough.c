// EXPECT: race=violated (a state machine without a lock)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int state;

static void *work(void *arg) {
  switch (state) {
    case 0:
      state = 1;
      /* fall through */
    case 1:
      state = 2;
      break;
    default:
      state = 0;
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
