// T threads walk over one array of any length and contents: the maximum is the same for each, and so is the
// sum (SUM).
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 2
#endif
#define MOST 4096

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static unsigned length, cells[MOST], results[T];

static void *walk(void *number) {
  unsigned result = 0;
  for (unsigned i = 0; i < length; i++) {
#ifdef SUM
    result += cells[i];
#else
    if (cells[i] > result) result = cells[i];
#endif
  }
#ifdef BUGGY
  if (number && result == 17) result = 0;
#endif
  results[(unsigned long)number] = result;
  return 0;
}

int main(void) {
  pthread_t threads[T];
  length = (unsigned)__VERIFIER_nondet_int();
  __VERIFIER_assume(length <= MOST);
  for (unsigned i = 0; i < length; i++) cells[i] = (unsigned)__VERIFIER_nondet_int();
  for (unsigned long i = 0; i < T; i++) pthread_create(&threads[i], 0, walk, (void *)i);
  for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
  for (int i = 1; i < T; i++) assert(results[i] == results[0]);
  return 0;
}
