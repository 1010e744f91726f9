// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (each remembers its own place)
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static void *worker(void *arg) {
  char *rest;
  char text[8] = "a b";
  strtok_r(text, " ", &rest);
  strtok_r(0, " ", &rest);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
