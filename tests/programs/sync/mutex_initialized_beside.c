// EXPECT: race=violated twin=mutex_initialized_first (the mutex is initialized beside its lock; the sleep orders nothing)
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m;
static int value;

static void *setUp(void *unused) {
  pthread_mutex_init(&m, NULL);
  pthread_mutex_lock(&m);
  value = 42;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *use(void *unused) {
  sleep(1);
  pthread_mutex_lock(&m);
  value++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, setUp, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
