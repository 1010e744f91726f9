// EXPECT: assert=violated race=violated (the header counts without a lock)
#include <assert.h>
#include <pthread.h>

#include "in_header.h"

static void *work(void *arg) {
  count_event();
  if (events_so_far() > 5)
    return 0;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(events_so_far() == 2);
  return 0;
}
