// EXPECT: assert=violated race=violated deadlock=verified twin=double_checked_atomic (the first look is outside the lock, and the flag comes first)
#include <assert.h>
#include <pthread.h>

int flag, value;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg) {
  if (!flag) {
    pthread_mutex_lock(&m);
    if (!flag) {
      flag = 1;
      value = 7;
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
