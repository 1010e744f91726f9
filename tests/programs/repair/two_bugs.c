// EXPECT: assert=violated race=violated (two independent races)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int reads;
static int writes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  reads++;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  writes++;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(reads == 2);
  assert(writes == 2);
  return 0;
}
