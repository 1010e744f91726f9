// EXPECT: assert=violated (the bandwidth is used before it is made)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *bandwidth;

static void *session(void *unused) {
  bandwidth = malloc(sizeof *bandwidth);
  return unused;
}

static void *peer_manager(void *unused) {
  assert(bandwidth != NULL);
  *bandwidth = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, session, NULL);
  pthread_create(&b, NULL, peer_manager, NULL);
  return 0;
}
