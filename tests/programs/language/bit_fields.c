// EXPECT: assert=violated race=violated twin=bit_fields_apart (two bit-fields in one word)
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned left : 4;
  unsigned right : 4;
} flags;

static void *first(void *unused) {
  flags.left = 5;
  return unused;
}

static void *second(void *unused) {
  flags.right = 9;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(flags.left + flags.right == 14);
  return 0;
}
