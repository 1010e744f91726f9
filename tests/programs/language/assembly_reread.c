// EXPECT: assert=violated twin=assembly_flag (the number is read again: both, or nobody, may be last)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int references = 2, freed;

static bool isLast(int *count) {
  bool isZero = false;
  __asm__ volatile("lock decl %0" : "+m"(*count) : : "memory", "cc");
  isZero = __atomic_load_n(count, __ATOMIC_SEQ_CST) == 0;
  return isZero;
}

static void *drop(void *unused) {
  if (isLast(&references)) freed++;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, drop, NULL);
  drop(NULL);
  pthread_join(other, NULL);
  assert(freed == 1);
  return 0;
}
