// EXPECT: assert=violated race=violated (the variable is declared in a header and used on both sides)
#include <assert.h>
#include <pthread.h>

#include "extern_in_header.h"

int total;

static void *work(void *arg) {
  add_to_total(1);
  total++;  // and once more here
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(total == 4);
  return 0;
}
