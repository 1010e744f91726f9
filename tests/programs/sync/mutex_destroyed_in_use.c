// EXPECT: assert=verified race=verified misuse=violated twin=mutex_destroyed_last (the last user is not waited for)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  pthread_join(t, NULL);
  assert(value == 1 || value == 2);
  return 0;
}
