// EXPECT: assert=verified (the two coordinates are written under a lock)
#include <assert.h>
#include <pthread.h>

struct point {
  short x;
  int y;
};

static struct point point = {1, 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *unused) {
  pthread_mutex_lock(&m);
  point.x = 2;
  point.y = 2;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *looker(void *unused) {
  pthread_mutex_lock(&m);
  int x = point.x;
  int y = point.y;
  pthread_mutex_unlock(&m);
  assert(x == y);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, mover, NULL);
  pthread_create(&b, NULL, looker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
