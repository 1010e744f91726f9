// EXPECT: assert=violated (two adds to one bucket)
#include <assert.h>
#include <pthread.h>

enum { NONE, FIRST, SECOND };
static int head, following[3], size;

static void add(int node) {
  following[node] = head;
  head = node;
  size = size + 1;
}

static int contains(int node) {
  return head == node || following[head] == node;
}

static void *first(void *unused) {
  add(FIRST);
  return unused;
}

static void *second(void *unused) {
  add(SECOND);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(size == 2 && contains(FIRST) && contains(SECOND));
  return 0;
}
