// EXPECT: assert=violated twin=atomicity_read_once (the pointer is set to null between the test and the use)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value = 7;
static int *current = &value;

static void *reader(void *unused) {
  if (current != NULL) {
    int *mine = current;
    assert(mine != NULL);
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
