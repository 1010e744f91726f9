// EXPECT: assert=violated race=violated (the pointer is published before the data)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data;
static int *published;

static void *work(void *arg) {
  if (published != NULL) {
    assert(*published == 7);
    return NULL;
  }
  published = &data;
  data = 7;
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
