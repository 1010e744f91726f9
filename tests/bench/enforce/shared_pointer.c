// One thread points to its own variable and writes through the pointer; the other reads through it when it is set.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int target;
static atomic_int *_Atomic pointer;

static void *publish(void *unused) {
  target = 1;
  pointer = &target;
  *pointer = 2;
  return unused;
}

static void *use(void *unused) {
  atomic_int *seen = pointer;
  if (seen) {
    int value = *seen;
    assert(value == 1 || value == 2);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, publish, NULL);
  pthread_create(&second, NULL, use, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
