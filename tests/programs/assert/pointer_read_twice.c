// EXPECT: assert=violated twin=pointer_swap (the pointer is read twice and may have moved on)
#include <assert.h>
#include <pthread.h>

struct version {
  int low, high;
};

static struct version old_version = {1, 1}, new_version = {2, 2};
static struct version *_Atomic current = &old_version;

static void *publisher(void *unused) {
  current = &new_version;
  return unused;
}

static void *reader(void *unused) {
  int low = current->low;
  assert(low == current->high);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, publisher, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
