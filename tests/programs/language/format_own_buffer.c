// EXPECT: race=verified assert=verified (each thread prints into its own buffer)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>



static void *work(void *name) {
  char buffer[4];
  snprintf(buffer, sizeof buffer, "%s", (const char *)name);
  assert(buffer[1] == 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, "x");
  pthread_create(&b, NULL, work, "y");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
