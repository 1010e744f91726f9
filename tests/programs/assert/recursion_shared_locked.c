// EXPECT: assert=verified (each level of the recursion adds to the total under a lock)
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void sum_to(int n) {
  if (n == 0) return;
  pthread_mutex_lock(&m);
  total += n;
  pthread_mutex_unlock(&m);
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
