// EXPECT: race=verified-within-bounds (any number of threads up to two counts under a lock; main is called with a few short arguments)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int served;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused) {
  pthread_mutex_lock(&lock);
  served++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    puts("usage: arguments_decide THREADS");
    return 1;
  }
  int wanted = atoi(argv[1]);
  if (wanted > 2) wanted = 2;
  pthread_t threads[2];
  for (int i = 0; i < wanted; i++) pthread_create(&threads[i], 0, serve, 0);
  for (int i = 0; i < wanted; i++) pthread_join(threads[i], 0);
  return 0;
}
