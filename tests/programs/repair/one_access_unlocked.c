// EXPECT: race=violated (one of three accesses forgets the lock)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  hits++;
  pthread_mutex_unlock(&lock);
  if (hits > 1)  // who was second?
    return NULL;
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
