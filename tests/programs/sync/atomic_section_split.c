// EXPECT: assert=violated race=verified deadlock=verified twin=atomic_section (two sections are not one)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int count;

static void *add(void *arg) {
  __VERIFIER_atomic_begin();
  int old = count;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  count = old + 1;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, add, 0);
  pthread_create(&t2, 0, add, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(count == 2);
  return 0;
}
