// fib_bench(N), known from the software verification competition: two threads feed each other's sums N times, and the
// largest value that any schedule reaches is the Fibonacci number 2N+2.
//
// SAFE=1 claims that it is never exceeded: no bug. SAFE=0 claims that it is never reached: bug, on one schedule only.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif
#ifndef SAFE
#define SAFE 1
#endif

static int i = 1, j = 1;

static void *addToI(void *unused) {
  for (int k = 0; k < N; k++) i += j;
  return unused;
}

static void *addToJ(void *unused) {
  for (int k = 0; k < N; k++) j += i;
  return unused;
}

static int fibonacci(int n) {
  int a = 0, b = 1;
  for (int k = 0; k < n; k++) {
    int next = a + b;
    a = b;
    b = next;
  }
  return a;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, addToI, NULL);
  pthread_create(&b, NULL, addToJ, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int largest = fibonacci(2 * N + 2);
#if SAFE
  assert(i <= largest && j <= largest);
#else
  assert(i < largest && j < largest);
#endif
  return 0;
}
