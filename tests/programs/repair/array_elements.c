// EXPECT: race=violated (an index and the element it names)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int slots[2];
static int next;

static void *work(void *arg) {
  if (next < 2) {
    slots[next] = 1;
    next++;
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
