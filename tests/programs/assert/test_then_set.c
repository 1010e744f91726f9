// EXPECT: assert=violated twin=test_and_set (testing and setting are two steps)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int inside;

static void *worker(void *unused) {
  for (int attempt = 0; attempt < 2; attempt++) {
    if (atomic_load(&locked) == 0) {
      atomic_store(&locked, 1);
      inside++;
      assert(inside == 1);
      inside--;
      atomic_store(&locked, 0);
      break;
    }
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
