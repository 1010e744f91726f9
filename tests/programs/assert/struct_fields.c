// EXPECT: assert=violated twin=struct_fields_locked (the two coordinates are written one after the other)
#include <assert.h>
#include <pthread.h>

struct point {
  short x;
  int y;
};

static struct point point = {1, 1};

static void *mover(void *unused) {
  point.x = 2;
  point.y = 2;
  return unused;
}

static void *looker(void *unused) {
  int x = point.x;
  int y = point.y;
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
