// EXPECT: assert=verified (the pointer is read once, then tested and used)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value = 7;
static int *current = &value;

static void *reader(void *unused) {
  int *mine = current;
  if (mine != NULL) {
    assert(*mine == 7);
  }
  return unused;
}

static void *closer(void *unused) {
  current = NULL;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, closer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
