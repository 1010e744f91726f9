// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=poll_under_lock (the producer says that it is not ready)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  value = 7;
  ready = 0;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  pthread_mutex_lock(&lock);
  while (!ready) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  assert(value == 7);
  pthread_mutex_unlock(&lock);
  pthread_join(producer, 0);
  return 0;
}
