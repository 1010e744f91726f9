// EXPECT: assert=verified (both are waited for; two threads write two elements of an array)
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
  pthread_join(b, NULL);
  assert(results[0] + results[1] == 2);
  return 0;
}
