// EXPECT: race=verified assert=verified (a compare-exchange that fails only reads, and so may stand beside a plain read)
#include <assert.h>
#include <pthread.h>

static int ticket;

static void *claim(void *unused) {
  __sync_bool_compare_and_swap(&ticket, 3, 7);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, claim, 0);
  int seen = ticket;
  assert(seen == 0);
  pthread_join(t, 0);
  return 0;
}
