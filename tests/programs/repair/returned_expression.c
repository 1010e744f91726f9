// EXPECT: race=violated (the returned expression reads shared data)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int tickets;
static int last;

static int next_ticket(void) {
  if (tickets > 5)
    return tickets;
  return ++tickets;
}

static void *work(void *arg) {
  (void)arg;
  last = next_ticket();
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
