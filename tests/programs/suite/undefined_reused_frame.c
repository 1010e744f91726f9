// EXPECT: assert=verified memory=verified race=verified option=--undefined-any (each call finds what it has stored in its frame)
#include <assert.h>
#include <pthread.h>

static int lock;

static void take(int *at) {
  while (__atomic_exchange_n(at, 1, __ATOMIC_SEQ_CST) != 0) {
  }
}
static void give(int *at) {
  __atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
}

static int shared;

static void *work(void *unused) {
  for (int i = 0; i < 2; i++) {
    take(&lock);
    shared++;
    give(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(shared == 4);
  return 0;
}
