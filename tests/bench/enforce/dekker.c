// Dekker's algorithm: two threads enter their critical section once each, by flags and a turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *number) {
  int me = number != NULL, other = 1 - me;
  wants[me] = 1;
  while (wants[other]) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) {
      }
      wants[me] = 1;
    }
  }
  assert(inside == 0);
  inside = 1;
  inside = 0;
  turn = other;
  wants[me] = 0;
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
