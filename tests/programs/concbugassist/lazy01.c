// EXPECT: assert=violated (the checker comes after both adders)
#include <assert.h>
#include <pthread.h>

static int d;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add_one(void *unused) {
  pthread_mutex_lock(&m);
  d = d + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *add_two(void *unused) {
  pthread_mutex_lock(&m);
  d = d + 2;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *check(void *unused) {
  pthread_mutex_lock(&m);
  assert(d < 3);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, add_one, NULL);
  pthread_create(&b, NULL, add_two, NULL);
  pthread_create(&c, NULL, check, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
