// EXPECT: memory=violated twin=static_variable_in_handler (exit handlers run after main has returned, and its variable is gone)
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void last(void) { sleep(1); }

static void *write_late(void *number) {
  *(int *)number = 1;
  return 0;
}

int main(void) {
  int number = 0;
  pthread_t t;
  if (atexit(last) != 0) return 1;
  if (pthread_create(&t, 0, write_late, &number) != 0) return 1;
  pthread_detach(t);
  return 0;
}
