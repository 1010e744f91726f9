// EXPECT: assert=violated (two writers take the same place in the buffer)
#include <assert.h>
#include <pthread.h>

static int count, buffer[2];

static void append(int id) {
  int at = count;
  buffer[at] = id;
  count = count + 1;
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
  assert(count == 2 && buffer[0] + buffer[1] == 3);
  return 0;
}
