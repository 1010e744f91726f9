// EXPECT: assert=violated twin=peterson (the turn is given away before the wish is stated)
#include <assert.h>
#include <pthread.h>

static int wants[2], turn, inside;

static int enter(int me) {
  turn = 1 - me;
  wants[me] = 1;
  for (int attempt = 0; attempt < 2; attempt++)
    if (!wants[1 - me] || turn == me) return 1;
  return 0;
}

static void *first(void *unused) {
  if (enter(0)) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  wants[0] = 0;
  return unused;
}

static void *second(void *unused) {
  if (enter(1)) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  wants[1] = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
