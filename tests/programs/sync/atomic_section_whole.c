// EXPECT: assert=verified race=verified deadlock=verified (nobody sees the state in between)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

static void *change(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  return arg;
}

static void *look(void *arg) {
  __VERIFIER_atomic_begin();
  int a = x, b = y;
  __VERIFIER_atomic_end();
  assert(a == b);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, change, 0);
  pthread_create(&t2, 0, look, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
