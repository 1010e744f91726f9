// Which descriptors are ready. Those that threads of the program write to are looked at, and waited for; of
// others any subset is ready.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>

void heddle_assume(int condition);
void heddle_assumption(const char *text);
int heddle_input(const char *name);
// The POLL* of a pipe or the like of the program at this moment; -1: the descriptor is of none.
int heddle_ready(int descriptor);

// Nothing is ready. 1: look again; else the call ends with `result`. Where there are descriptors from outside,
// somebody there may end the wait at any time: it is no deadlock, and what follows then is what follows where
// they are ready.
static int poll_again(int hasOthers, int isTimed, int *result) {
  *result = 0;
  if (hasOthers && (heddle_input("waiting for descriptors fails") & 1)) {
    errno = EINTR;
    *result = -1;
    return 0;
  }
  if (isTimed) return 0;
  if (hasOthers) heddle_assume(0);
  return 1;
}

static void poll_name_others(int hasOthers) {
  if (hasOthers)
    heddle_assumption("any descriptors from outside that are waited for are ready, whoever writes to them");
}

static int poll_all(struct pollfd *all, unsigned long count, int isTimed) {
  int ready = 0;
  int hasOthers = 0;
  do {
    for (unsigned long i = 0; i < count; ++i) {
      int is = all[i].fd < 0 ? 0 : heddle_ready(all[i].fd);
      if (is < 0) {
        hasOthers = 1;
        is = heddle_input("poll: what is ready");
      }
      all[i].revents = (short)(is & (all[i].events | POLLERR | POLLHUP | POLLNVAL));
      if (all[i].revents) ++ready;
    }
    poll_name_others(hasOthers);
  } while (ready == 0 && poll_again(hasOthers, isTimed, &ready));
  return ready;
}

int poll(struct pollfd *all, unsigned long count, int timeout) {
  return poll_all(all, count, timeout >= 0);
}

int ppoll(struct pollfd *all, unsigned long count, const struct timespec *timeout, const sigset_t *mask) {
  (void)mask;
  return poll_all(all, count, timeout != NULL);
}

enum { kSelectSets = 3 };

static int select_is_ready(int fd, int set, int *hasOthers) {
  static const int kAsked[kSelectSets] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
  static const char *const kNames[kSelectSets] = {"select: can be read", "select: can be written",
                                                  "select: has an exception"};
  const int own = heddle_ready(fd);
  if (own >= 0) return (own & kAsked[set]) != 0;
  *hasOthers = 1;
  return heddle_input(kNames[set]) & 1;
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout) {
  fd_set *const given[kSelectSets] = {reads, writes, others};
  fd_set found[kSelectSets];
  int ready = 0;
  int hasOthers = 0;
  do {
    for (int set = 0; set < kSelectSets; ++set) {
      FD_ZERO(&found[set]);
      for (int fd = 0; given[set] && fd < count; ++fd) {
        if (!FD_ISSET(fd, given[set]) || !select_is_ready(fd, set, &hasOthers)) continue;
        FD_SET(fd, &found[set]);
        ++ready;
      }
    }
    poll_name_others(hasOthers);
  } while (ready == 0 && poll_again(hasOthers, timeout != NULL, &ready));
  for (int set = 0; ready >= 0 && set < kSelectSets; ++set)
    if (given[set]) *given[set] = found[set];
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

enum { kMostWatched = 16 };

// The entries of a set, as they are now. No lock is held while they are looked at.
static int epoll_entries(int set, struct watched *entries) {
  int count = 0;
  pthread_mutex_lock(&epoll_lock);
  for (struct watched *at = epoll_watched; at; at = at->next) {
    if (at->set != set) continue;
    if (count == kMostWatched) {
      heddle_assumption("at most 16 descriptors of an epoll set are ready");
      break;
    }
    entries[count++] = *at;
  }
  pthread_mutex_unlock(&epoll_lock);
  return count;
}

// What is ready now of a set, at most `most`, into `events`.
static int epoll_look(int set, struct epoll_event *events, int most, int *hasOthers) {
  struct watched entries[kMostWatched];
  const int count = epoll_entries(set, entries);
  int ready = 0;
  for (int i = 0; i < count && ready < most; ++i) {
    int own = heddle_ready(entries[i].fd);
    if (own < 0) {
      *hasOthers = 1;
      own = heddle_input("epoll_wait: what is ready");
    }
    const unsigned is = (unsigned)own & (entries[i].asked.events | EPOLLERR | EPOLLHUP);
    if (!is) continue;
    events[ready].events = is;
    events[ready].data = entries[i].asked.data;
    ++ready;
  }
  return ready;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  int ready = 0;
  int hasOthers = 0;
  heddle_assumption("an epoll set tells of a descriptor as long as it is ready");
  do {
    ready = epoll_look(set, events, most, &hasOthers);
    poll_name_others(hasOthers);
  } while (ready == 0 && poll_again(hasOthers, timeout >= 0, &ready));
  return ready;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  (void)mask;
  return epoll_wait(set, events, most, timeout);
}
