// EXPECT: race=violated assert=violated (the other file uses what this one has not set yet)
#include <pthread.h>

#include "settings.h"

int limit;

static void *set_up(void *unused) {
  limit = 10;
  return unused;
}

static void *run(void *unused) {
  use_limit();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_up, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
