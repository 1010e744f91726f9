// EXPECT: assert=verified (the helper exists only when the flag was seen, and main knows)
#include <assert.h>
#include <pthread.h>

static int flag, created, value = 1;

static void *helper(void *unused) {
  value = value * 2;
  return unused;
}

static void *setter(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, setter, NULL);
  if (flag) {
    created = 1;
    pthread_create(&b, NULL, helper, NULL);
    pthread_join(b, NULL);
  }
  pthread_join(a, NULL);
  assert(value == 1 + created);
  return 0;
}
