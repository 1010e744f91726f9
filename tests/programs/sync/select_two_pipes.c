// EXPECT: deadlock=verified assert=verified (one of two pipes has its writer closed, and select tells which)
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int quiet[2], closed[2];

static void *work(void *unused) {
  close(closed[1]);
  return unused;
}

int main(void) {
  pthread_t t;
  char byte;
  fd_set reads;
  if (pipe(quiet) != 0 || pipe(closed) != 0) return 1;
  pthread_create(&t, NULL, work, NULL);
  FD_ZERO(&reads);
  FD_SET(quiet[0], &reads);
  FD_SET(closed[0], &reads);
  assert(select(closed[0] + 1, &reads, NULL, NULL, NULL) == 1);
  assert(!FD_ISSET(quiet[0], &reads) && read(closed[0], &byte, 1) == 0);
  pthread_join(t, NULL);
  return 0;
}
