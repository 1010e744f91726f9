// EXPECT: assert=violated twin=create_by_shared_value_told (the helper exists only when the flag was seen, and then it doubles)
#include <assert.h>
#include <pthread.h>

static int flag, value = 1;

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
    pthread_create(&b, NULL, helper, NULL);
    pthread_join(b, NULL);
  }
  pthread_join(a, NULL);
  assert(value == 1);
  return 0;
}
