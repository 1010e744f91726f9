// Lamport's fast mutual exclusion for two threads, once each; who finds the other in its way gives up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, busy[3], inside;

static void *enter(void *number) {
  int me = number ? 2 : 1, other = 3 - me;
  busy[me] = 1;
  x = me;
  if (y != 0) {
    busy[me] = 0;
    return NULL;
  }
  y = me;
  if (x != me) {
    busy[me] = 0;
    while (busy[other]) {
    }
    if (y != me) return NULL;
  }
  assert(inside == 0);
  inside = 1;
  inside = 0;
  y = 0;
  busy[me] = 0;
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
