// EXPECT: assert=verified race=verified deadlock=verified (one thread spins while another one waits for it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *spinner(void *unused) {
  (void)unused;
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
  atomic_store(&ready, 1);
  pthread_join(second, NULL);
  assert(value == 2);
  return 0;
}
