// EXPECT: assert=verified (the twin of reorder.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int a, b;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused) {
  pthread_mutex_lock(&guard);
  a = 1;
  b = -1;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *check(void *unused) {
  pthread_mutex_lock(&guard);
  int x = a, y = b;
  pthread_mutex_unlock(&guard);
  assert((x == 0 && y == 0) || (x == 1 && y == -1));
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, set, NULL);
  pthread_create(&t[1], NULL, set, NULL);
  pthread_create(&t[2], NULL, check, NULL);
  pthread_create(&t[3], NULL, check, NULL);
  for (int k = 0; k < 4; k++) pthread_join(t[k], NULL);
  return 0;
}
