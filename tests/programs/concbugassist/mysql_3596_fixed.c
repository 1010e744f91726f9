// EXPECT: assert=verified (the twin of mysql_3596.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int info = 1;

static void *show(void *unused) {
  assert(info != 0);
  return unused;
}

static void *finish(void *unused) {
  info = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, show, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, finish, NULL);
  pthread_join(b, NULL);
  return 0;
}
