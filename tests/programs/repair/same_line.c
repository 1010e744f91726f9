// EXPECT: assert=violated race=violated (everything on one line)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void *work(void *arg) {
  if (arg == NULL) { n++; } else return NULL;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(n == 2);
  return 0;
}
