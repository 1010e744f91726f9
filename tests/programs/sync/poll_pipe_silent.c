// EXPECT: deadlock=violated twin=poll_pipe (a writer that writes nothing and keeps its end open)
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int wanted;

static void *work(void *unused) {
  if (wanted && write(ends[1], "x", 1) != 1) return 0;
  return unused;
}

int main(void) {
  pthread_t t;
  if (pipe(ends) != 0) return 1;
  pthread_create(&t, NULL, work, NULL);
  struct pollfd asked = {ends[0], POLLIN, 0};
  poll(&asked, 1, -1);
  pthread_join(t, NULL);
  return 0;
}
