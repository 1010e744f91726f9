// EXPECT: memory=verified assert=verified (the starter waits for the thread)
#include <assert.h>
#include <pthread.h>

static pthread_t thread;

static void *work(void *argument) {
  int value = *(int *)argument;
  assert(value == 5);
  return NULL;
}

static void start(void) {
  int local = 5;
  pthread_create(&thread, NULL, work, &local);
  pthread_join(thread, NULL);
}

int main(void) {
  start();

  return 0;
}
