// EXPECT: assert=verified race=violated deadlock=verified twin=atomic_section_whole (one of the accesses is in no section)
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
  int seen = y;
  assert(seen == 0 || seen == 1);
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
