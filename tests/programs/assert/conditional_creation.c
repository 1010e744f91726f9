// EXPECT: assert=violated twin=conditional_creation_later (with a positive input there is a second writer)
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int value;

static void *set_one(void *unused) {
  value = 1;
  return unused;
}

static void *set_two(void *unused) {
  value = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  int extra = __VERIFIER_nondet_int() > 0;
  pthread_create(&a, NULL, set_one, NULL);
  if (extra) pthread_create(&b, NULL, set_two, NULL);
  pthread_join(a, NULL);
  if (extra) pthread_join(b, NULL);
  assert(value == 1);
  return 0;
}
