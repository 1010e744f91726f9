// EXPECT: deadlock=verified assert=verified (poll waits until there is a byte, and then read gets it)
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
  char byte = 0;
  if (pipe(ends) != 0) return 1;
  pthread_create(&t, NULL, work, NULL);
  struct pollfd asked = {ends[0], POLLIN, 0};
  assert(poll(&asked, 1, -1) == 1 && asked.revents == POLLIN);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  pthread_join(t, NULL);
  return 0;
}
