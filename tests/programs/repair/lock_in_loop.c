// EXPECT: race=violated (the loop's condition reads without the lock)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  for (int i = 0; i < 2 && done < 3; i++) {
    pthread_mutex_lock(&lock);
    if (done == 2) {
      pthread_mutex_unlock(&lock);
      continue;
    }
    done++;
    pthread_mutex_unlock(&lock);
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
