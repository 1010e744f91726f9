// EXPECT: memory=verified twin=divide_least (the one division that overflows is left out)
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
  if (by == 0 || (by == -1 && number == INT_MIN)) return 0;
  pthread_create(&t, 0, divide, &number);
  pthread_join(t, 0);
  return 0;
}
