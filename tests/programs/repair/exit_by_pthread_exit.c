// EXPECT: race=violated (a worker ends by pthread_exit)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int alive;

static void *work(void *arg) {
  alive++;
  if (alive > 1)
    pthread_exit(NULL);
  alive--;
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
