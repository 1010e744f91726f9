// EXPECT: assert=violated race=violated twin=inputs_summed (the lock is taken for the store only)
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned total, part[2];
void *add(void *p) {
  const long i = (long)p;
  const unsigned sum = total + part[i];
  pthread_mutex_lock(&m);
  total = sum;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  unsigned want = 0;
  const int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2) return 0;
  for (int i = 0; i < n; i++) {
    part[i] = (unsigned)__VERIFIER_nondet_int() & 3;
    want += part[i];
  }
  for (long i = 0; i < n; i++) pthread_create(&t[i], 0, add, (void *)i);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  assert(total == want);
  return 0;
}
