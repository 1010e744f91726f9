// EXPECT: assert=verified race=verified (the flag of the locked instruction says who was last)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int references = 2, freed;

static bool isLast(int *count) {
  bool isZero;
  __asm__ volatile("lock decl %0; setz %1" : "+m"(*count), "=rm"(isZero) : : "memory", "cc");
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
