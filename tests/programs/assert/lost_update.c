// EXPECT: assert=violated twin=locked_counter (both threads read the counter before either writes it)
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
