// EXPECT: race=violated (a static variable inside a function)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int unique_id(void) {
  static int last_id;
  last_id++;
  return last_id;
}

static void *work(void *arg) {
  return unique_id() > 2 ? NULL : arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
