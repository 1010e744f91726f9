// EXPECT: deadlock=violated twin=epoll_event (the thread looks for a counter that is raised already)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *work(void *unused) {
  uint64_t one = 1;
  if (read(counter, &one, sizeof one) != sizeof one) return 0;
  return unused;
}

int main(void) {
  pthread_t t;
  struct epoll_event asked = {EPOLLIN, {0}}, told = {0, {0}};
  const int set = epoll_create1(0);
  if (set < 0) return 1;
  counter = eventfd(0, 0);
  asked.data.fd = counter;
  epoll_ctl(set, EPOLL_CTL_ADD, counter, &asked);
  pthread_create(&t, NULL, work, NULL);
  assert(epoll_wait(set, &told, 1, -1) == 1 && told.data.fd == counter);
  pthread_join(t, NULL);
  return 0;
}
