// EXPECT: memory=verified twin=shift_too_far (the distance is less than the width)
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned shared;

static void *set(void *distance) {
  shared = 1u << *(unsigned *)distance;
  return 0;
}

int main(void) {
  unsigned distance = __VERIFIER_nondet_uint();
  pthread_t t;
  if (distance >= 32) return 0;
  pthread_create(&t, 0, set, &distance);
  pthread_join(t, 0);
  return shared == 0;
}
