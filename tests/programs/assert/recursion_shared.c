// EXPECT: assert=violated twin=recursion_shared_locked (each level of the recursion reads and writes the total, and updates are lost)
#include <assert.h>
#include <pthread.h>

static int total;

static void sum_to(int n) {
  if (n == 0) return;
  total += n;
  sum_to(n - 1);
}

static void *worker(void *limit) {
  sum_to(*(int *)limit);
  return NULL;
}

int main(void) {
  int limits[2] = {2, 2};
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &limits[0]);
  pthread_create(&b, NULL, worker, &limits[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total == 6);
  return 0;
}
