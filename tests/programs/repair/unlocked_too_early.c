// EXPECT: assert=violated race=violated (the lock is released before the last access)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int jobs;
static int finished;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  jobs++;
  if (jobs > 2) {
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  pthread_mutex_unlock(&lock);
  finished = finished + 1;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(finished == jobs);
  return 0;
}
