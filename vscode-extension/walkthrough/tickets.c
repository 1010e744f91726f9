// Two counters sell the last ticket. Each looks first and sells then: that is the bug. Heddle underlines it; hover over
// it, show the interleaving, debug it backwards, or press the light bulb for a fix that was verified.
#include <assert.h>
#include <pthread.h>

static int tickets = 1;
static int sold = 0;

static void *counter(void *unused) {
  (void)unused;
  if (tickets > 0) {
    tickets--;
    sold++;
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, counter, 0);
  pthread_create(&two, 0, counter, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(sold <= 1);
  return 0;
}
