// EXPECT: race=violated assert=verified twin=cas_only_fails_beside_read (the exchange finds the 0 that it expects, and so writes while main reads)
#include <assert.h>
#include <pthread.h>

static int ticket;

static void *claim(void *unused) {
  __sync_bool_compare_and_swap(&ticket, 0, 7);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, claim, 0);
  int seen = ticket;
  assert(seen == 0 || seen == 7);
  pthread_join(t, 0);
  return 0;
}
