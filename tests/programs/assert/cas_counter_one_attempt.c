// EXPECT: assert=violated twin=cas_counter (with one attempt the exchange may fail and nobody tries again)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int done[2];

static void *increment(void *mine) {
  for (int attempt = 0; attempt < 1; attempt++) {
    int seen = atomic_load(&counter);
    if (atomic_compare_exchange_strong(&counter, &seen, seen + 1)) {
      *(int *)mine = 1;
      break;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, &done[0]);
  pthread_create(&b, NULL, increment, &done[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == done[0] + done[1]);
  assert(counter == 2);
  return 0;
}
