// EXPECT: assert=violated race=violated (the seat is checked and taken in two steps)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int seats = 1;
static int sold;

static void *work(void *arg) {
  if (seats == 0)
    return NULL;
  seats--;
  sold++;
  if (sold > 1)
    return NULL;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(sold <= 1);
  assert(seats >= 0);
  return 0;
}
