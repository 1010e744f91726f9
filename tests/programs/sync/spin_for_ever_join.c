// EXPECT: assert=verified race=verified deadlock=violated twin=spin_wait_join (the spinning, which another thread waits for, may go on for ever)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, spins;
static int value;

static void *spinner(void *unused) {
  (void)unused;
  atomic_store(&spins, 1);
  while (!atomic_load(&ready)) {
  }
  value++;
  return NULL;
}

static void *waiter(void *spinning) {
  pthread_join(*(pthread_t *)spinning, NULL);
  value++;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, spinner, NULL);
  pthread_create(&second, NULL, waiter, &first);
  if (atomic_load(&spins)) atomic_store(&ready, 1);
  pthread_join(second, NULL);
  assert(value == 2);
  return 0;
}
