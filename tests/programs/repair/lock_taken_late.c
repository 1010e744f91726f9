// EXPECT: assert=violated race=violated (the lock is taken after the first access)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int queue_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int length = queue_length;
  pthread_mutex_lock(&lock);
  queue_length = length + 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(queue_length == 2);
  return 0;
}
