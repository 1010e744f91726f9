// EXPECT: assert=verified (the third has ended before the first one begins)
#include <assert.h>
#include <pthread.h>

static int a, b, c;

static void *start(void *unused) {
  a = 1;
  return unused;
}

static void *relay(void *unused) {
  b = a;
  return unused;
}

static void *finish(void *unused) {
  c = b;
  assert(c == 0);
  return unused;
}

int main(void) {
  pthread_t t1, t2, t3;
  pthread_create(&t1, NULL, finish, NULL);
  pthread_join(t1, NULL);
  pthread_create(&t2, NULL, relay, NULL);
  pthread_create(&t3, NULL, start, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
