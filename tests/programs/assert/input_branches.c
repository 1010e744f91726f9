// EXPECT: assert=violated twin=input_branches_unreachable (only for 10 < a < 20 with b == 2 * a, and a schedule that reads in between)
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int level;

static void *raise_level(void *unused) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a > 10 && a < 20) {
    level = 1;
    if (b == 2 * a) level = 2;
  }
  level = 0;
  return unused;
}

static void *check(void *unused) {
  assert(level < 2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, raise_level, NULL);
  pthread_create(&b, NULL, check, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
