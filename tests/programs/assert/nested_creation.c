// EXPECT: assert=violated twin=nested_creation_joined (the grandchild may run after main has read, because the child does not wait for it)
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
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_join(thread, NULL);
  assert(steps == 2);
  pthread_join(grandchild, NULL);
  return 0;
}
