// EXPECT: assert=verified (whoever reads the pointer gets one complete version)
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
  struct version *mine = current;
  assert(mine->low == mine->high);
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
