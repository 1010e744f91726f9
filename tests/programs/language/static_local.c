// EXPECT: assert=violated race=violated twin=static_local_locked (a static local is shared)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int ticket(void) {
  static int next;
  (void)lock;
  int mine = ++next;

  return mine;
}

static int drawn[2];

static void *draw(void *place) {
  *(int *)place = ticket();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, draw, &drawn[0]);
  pthread_create(&b, NULL, draw, &drawn[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(drawn[0] != drawn[1]);
  return 0;
}
