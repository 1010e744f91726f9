// EXPECT: assert=violated twin=assembly_locked (an increment in two steps)
#include <assert.h>
#include <pthread.h>

static int count;

static void add(int *where) {
  *where += 1;
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
