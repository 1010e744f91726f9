// EXPECT: assert=violated race=verified (two locked calls that belong together)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  pthread_mutex_lock(&lock);
  int now = value;
  pthread_mutex_unlock(&lock);
  return now;
}

static void set(int now) {
  pthread_mutex_lock(&lock);
  value = now;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  int old = get();
  set(old + 1);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(value == 2);
  return 0;
}
