// EXPECT: assert=violated (a record is overwritten before the end is moved)
#include <assert.h>
#include <pthread.h>

static int length, buffer[3];

static void append(int id) {
  buffer[length] = id;
  length = length + 1;
  buffer[length] = 0;
}

static void *first(void *unused) {
  append(1);
  return unused;
}

static void *second(void *unused) {
  append(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(buffer[0] + buffer[1] == 3);
  return 0;
}
