// EXPECT: assert=violated twin=two_results (main reads the result without waiting for the second thread)
#include <assert.h>
#include <pthread.h>

static int results[2];

static void *worker(void *slot) {
  *(int *)slot = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &results[0]);
  pthread_create(&b, NULL, worker, &results[1]);
  pthread_join(a, NULL);
  assert(results[0] + results[1] == 2);
  pthread_join(b, NULL);
  return 0;
}
