// EXPECT: race=violated twin=arguments_decide_fixed (with a number as its argument, the program starts two threads that count without a lock)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int served;

static void *serve(void *unused) {
  served++;
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
