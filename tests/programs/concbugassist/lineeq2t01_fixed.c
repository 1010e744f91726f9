// EXPECT: assert=verified (the twin of lineeq2t01.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int t, s;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
  pthread_mutex_lock(&guard);
  t = 2 * 3;
  s = s + t;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&guard);
  t = 5 * 7;
  s = s + t;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(s == 2 * 3 + 5 * 7);
  return 0;
}
