// EXPECT: memory=violated twin=divide_least_checked (the least number divided by -1 has no quotient, and traps on x86)
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int by, quotient;

static void *divide(void *number) {
  quotient = *(int *)number / by;
  return 0;
}

int main(void) {
  int number = __VERIFIER_nondet_int();
  pthread_t t;
  by = __VERIFIER_nondet_int();
  if (by == 0) return 0;
  pthread_create(&t, 0, divide, &number);
  pthread_join(t, 0);
  return 0;
}
