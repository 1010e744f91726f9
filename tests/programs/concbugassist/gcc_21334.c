// EXPECT: assert=violated (a string is copied while it is being unshared)
#include <assert.h>
#include <pthread.h>

static int shared, leaked;

static void *write_character(void *unused) {
  if (shared == 0) {
    leaked = 1;
    assert(shared == 0);
  }
  return unused;
}

static void *copy(void *unused) {
  if (!leaked) shared = shared + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_character, NULL);
  pthread_create(&b, NULL, copy, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
