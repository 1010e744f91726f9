// EXPECT: assert=verified memory=violated twin=stack_outlives (the thread uses a local of a function that has returned)
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

}

int main(void) {
  start();
  pthread_join(thread, NULL);
  return 0;
}
