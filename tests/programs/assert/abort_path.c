// EXPECT: assert=verified (abort ends the program; what must not happen is said with assert)
#include <pthread.h>
#include <stdlib.h>

static int winner;

static void *first(void *unused) {
  winner = 1;
  return unused;
}

static void *second(void *unused) {
  winner = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (winner == 2) abort();
  return 0;
}
