// EXPECT: assert=violated twin=poll_pipe (with a time limit poll may end before there is a byte)
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused) {
  if (write(ends[1], "x", 1) != 1) return 0;
  return unused;
}

int main(void) {
  pthread_t t;
  if (pipe(ends) != 0) return 1;
  pthread_create(&t, NULL, work, NULL);
  struct pollfd asked = {ends[0], POLLIN, 0};
  assert(poll(&asked, 1, 100) == 1);
  pthread_join(t, NULL);
  return 0;
}
