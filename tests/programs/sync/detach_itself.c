// EXPECT: misuse=verified race=verified deadlock=verified (nobody joins it)
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *unused) {
  pthread_detach(pthread_self());
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return 0;
}
