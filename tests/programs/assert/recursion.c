// EXPECT: assert=verified (recursive sums into an atomic total)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

static int sum_to(int n) { return n == 0 ? 0 : n + sum_to(n - 1); }

static void *worker(void *limit) {
  atomic_fetch_add(&total, sum_to(*(int *)limit));
  return NULL;
}

int main(void) {
  int limits[2] = {3, 4};
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &limits[0]);
  pthread_create(&b, NULL, worker, &limits[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total == 16);
  return 0;
}
