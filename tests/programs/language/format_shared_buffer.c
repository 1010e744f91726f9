// EXPECT: assert=verified race=violated twin=format_own_buffer (two threads print into one buffer)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char buffer[4];

static void *work(void *name) {

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
