// EXPECT: assert=violated race=violated (an input decides which path has the race)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int amount;

static void *work(void *arg) {
  int by = *(int *)arg;
  if (by > 0)
    amount += by;
  else
    amount = 0;
  return NULL;
}

int main(void) {
  int by = __VERIFIER_nondet_int();
  if (by > 100)
    return 0;
  pthread_t first, second;
  pthread_create(&first, NULL, work, &by);
  pthread_create(&second, NULL, work, &by);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(by <= 0 || amount == 2 * by);
  return 0;
}
