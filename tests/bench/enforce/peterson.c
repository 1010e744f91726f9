// Peterson's algorithm: two threads enter their critical section twice each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *number) {
  int me = number != NULL, other = 1 - me;
  for (int round = 0; round < 2; round++) {
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    wants[me] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, enter, NULL);
  pthread_create(&second, NULL, enter, &second);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
