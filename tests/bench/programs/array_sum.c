// Three threads add up an array of which each takes the next place that is left: N cells, any contents and any
// length up to N. The sum is that of one thread alone.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned cells[N], sum;
static int length, next;

static void *add(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    int at = next < length ? next++ : -1;
    pthread_mutex_unlock(&lock);
    if (at < 0) return unused;
    unsigned value = cells[at];
#ifdef RACY
    sum += value;
#else
    pthread_mutex_lock(&lock);
    sum += value;
    pthread_mutex_unlock(&lock);
#endif
  }
}

int main(void) {
  pthread_t threads[3];
  unsigned expected = 0;
  length = __VERIFIER_nondet_int();
  __VERIFIER_assume(length >= 0 && length <= N);
  for (int i = 0; i < length; i++) expected += cells[i] = (unsigned)__VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(sum == expected);
  return 0;
}
