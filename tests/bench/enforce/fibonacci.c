// Two threads add two numbers to each other, ROUNDS times each; neither can pass the Fibonacci number that strict alternation gives.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif

static atomic_int i = 1, j = 1;

static void *first(void *unused) {
  for (int k = 0; k < ROUNDS; k++) {
    int sum = i + j;
    i = sum;
  }
  return unused;
}

static void *second(void *unused) {
  for (int k = 0; k < ROUNDS; k++) {
    int sum = j + i;
    j = sum;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(i <= 377 && j <= 377);
  return 0;
}
