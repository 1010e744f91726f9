// EXPECT: assert=violated race=violated (comments around every access)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int total; /* of all workers */

static void *work(void *arg) {
  /* first the old value, */
  int old = total;  // which may be stale
  // then the new one
  total = old + 1; /* here */
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(total == 2);
  return 0;
}
