// Which descriptors are ready: any subset of those that are asked for. Descriptors that threads of the program
// write to are those of the interpreter.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <pthread.h>

void heddle_assumption(const char *text);
int heddle_input(const char *name);

static int poll_all(struct pollfd *all, unsigned long count) {
  int ready = 0;
  for (unsigned long i = 0; i < count; ++i) {
    all[i].revents = 0;
    if (all[i].fd < 0) continue;
    all[i].revents = (short)(heddle_input("poll: what is ready") & (all[i].events | POLLERR | POLLHUP));
    if (all[i].revents) ++ready;
  }
  if (ready == 0 && heddle_input("poll: fails")) {
    errno = EINTR;
    return -1;
  }
  return ready;
}

int poll(struct pollfd *all, unsigned long count, int timeout) {
  (void)timeout;
  heddle_assumption("any descriptors that are polled are ready, whoever writes to them");
  return poll_all(all, count);
}

int ppoll(struct pollfd *all, unsigned long count, const struct timespec *timeout, const sigset_t *mask) {
  (void)timeout;
  (void)mask;
  heddle_assumption("any descriptors that are polled are ready, whoever writes to them");
  return poll_all(all, count);
}

static int select_in(int count, fd_set *set, const char *name) {
  int ready = 0;
  if (!set) return 0;
  for (int fd = 0; fd < count; ++fd) {
    if (!FD_ISSET(fd, set)) continue;
    if (heddle_input(name) & 1)
      ++ready;
    else
      FD_CLR(fd, set);
  }
  return ready;
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout) {
  (void)timeout;
  heddle_assumption("any descriptors that are selected are ready, whoever writes to them");
  if (heddle_input("select: fails") & 1) {
    errno = EINTR;
    return -1;
  }
  int ready = select_in(count, reads, "select: can be read");
  ready += select_in(count, writes, "select: can be written");
  ready += select_in(count, others, "select: has an exception");
  return ready;
}

struct watched {
  int set, fd;
  struct epoll_event asked;
  struct watched *next;
};

static pthread_mutex_t epoll_lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched *epoll_watched;
static int epoll_made;

int epoll_create1(int flags) {
  (void)flags;
  if (heddle_input("epoll_create: fails") & 1) {
    errno = EMFILE;
    return -1;
  }
  pthread_mutex_lock(&epoll_lock);
  int set = 4096 + epoll_made++;
  pthread_mutex_unlock(&epoll_lock);
  return set;
}

int epoll_create(int size) {
  (void)size;
  return epoll_create1(0);
}

int epoll_ctl(int set, int operation, int fd, struct epoll_event *event) {
  int result = 0;
  pthread_mutex_lock(&epoll_lock);
  struct watched **at = &epoll_watched;
  while (*at && ((*at)->set != set || (*at)->fd != fd)) at = &(*at)->next;
  if ((operation == EPOLL_CTL_ADD) == (*at != NULL)) {
    errno = *at ? EEXIST : ENOENT;
    result = -1;
  } else if (operation == EPOLL_CTL_DEL) {
    struct watched *gone = *at;
    *at = gone->next;
    free(gone);
  } else {
    if (operation == EPOLL_CTL_ADD) {
      *at = calloc(1, sizeof **at);
      if (!*at) abort();
      (*at)->set = set;
      (*at)->fd = fd;
    }
    (*at)->asked = *event;
  }
  pthread_mutex_unlock(&epoll_lock);
  return result;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  (void)timeout;
  heddle_assumption("any descriptors of an epoll set are ready, whoever writes to them");
  int ready = 0;
  pthread_mutex_lock(&epoll_lock);
  for (struct watched *at = epoll_watched; at && ready < most; at = at->next) {
    if (at->set != set) continue;
    unsigned is = (unsigned)heddle_input("epoll_wait: what is ready") & (at->asked.events | EPOLLERR | EPOLLHUP);
    if (!is) continue;
    events[ready].events = is;
    events[ready].data = at->asked.data;
    ++ready;
  }
  pthread_mutex_unlock(&epoll_lock);
  if (ready == 0 && (heddle_input("epoll_wait: fails") & 1)) {
    errno = EINTR;
    return -1;
  }
  return ready;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  (void)mask;
  return epoll_wait(set, events, most, timeout);
}
