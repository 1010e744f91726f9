// EXPECT: assert=verified race=verified deadlock=verified (an atomic flag, set last)
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>

atomic_int flag;
int value;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg) {
  if (!flag) {
    pthread_mutex_lock(&m);
    if (!flag) {
      value = 7;
      flag = 1;
    }
    pthread_mutex_unlock(&m);
  }
  assert(value == 7);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, use, 0);
  pthread_create(&t2, 0, use, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
