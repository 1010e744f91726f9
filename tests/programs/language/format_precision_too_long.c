// EXPECT: memory=violated twin=format_precision (the precision is larger than the array)
#include <pthread.h>
#include <stdio.h>

struct slice {
  const char *start;
  int length;
};
static const char bytes[2] = {'a', 'b'};  // without a terminator

static void *writer(void *argument) {
  const struct slice *slice = argument;
  printf("%.*s\n", slice->length, slice->start);
  return 0;
}

int main(void) {
  struct slice good = {bytes, 2}, bad = {bytes, 3};
  pthread_t t;
  pthread_create(&t, 0, writer, &good);
  pthread_join(t, 0);
  writer(&bad);
  return 0;
}
