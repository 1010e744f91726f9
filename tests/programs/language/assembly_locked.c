// EXPECT: assert=verified race=verified (one locked instruction)
#include <assert.h>
#include <pthread.h>

static int count;

static void add(int *where) {
  __asm__ volatile("lock; incl %0" : "+m"(*where) : : "memory");
}

static void *work(void *unused) {
  add(&count);
  __asm__ volatile("" ::: "memory");
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
  return 0;
}
