// EXPECT: race=violated (the error path leaves by goto)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int used;
static int failures;

static void *work(void *arg) {
  int status = 0;
  if (used == 2) {
    status = -1;
    goto out;
  }
  used++;
  if (arg != NULL)
    goto out;
  used += 2;
out:
  if (status < 0)
    failures++;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
