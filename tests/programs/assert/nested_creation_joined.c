// EXPECT: assert=verified (the child waits for the grandchild)
#include <assert.h>
#include <pthread.h>

static int steps;
static pthread_t grandchild;

static void *leaf(void *unused) {
  steps++;
  return unused;
}

static void *child(void *unused) {
  steps++;
  pthread_create(&grandchild, NULL, leaf, NULL);
  pthread_join(grandchild, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_join(thread, NULL);
  assert(steps == 2);
  return 0;
}
