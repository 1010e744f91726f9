// Waits on an address by system calls; what another call of `syscall` gives, an unknown function decides.
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>

void heddle_assumption(const char *text);
/// What a system call by another number returns: defined by nobody.
long syscall_by_number(long number);

enum { kWait = 0, kWake = 1, kWaitBits = 9, kWakeBits = 10, kCommand = 127 };

struct futex_waiter {
  int *at;
  int isWoken;
  struct futex_waiter *next;
};

static pthread_mutex_t futex_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t futex_changed = PTHREAD_COND_INITIALIZER;
static struct futex_waiter *futex_first;

static void futex_remove(struct futex_waiter *gone) {
  struct futex_waiter **at = &futex_first;
  while (*at && *at != gone) at = &(*at)->next;
  if (*at) *at = gone->next;
}

static long futex_wait(int *address, int value, const struct timespec *timeout) {
  pthread_mutex_lock(&futex_lock);
  if (__atomic_load_n(address, __ATOMIC_SEQ_CST) != value) {
    pthread_mutex_unlock(&futex_lock);
    errno = EAGAIN;
    return -1;
  }
  struct futex_waiter self = {address, 0, NULL};
  struct futex_waiter **end = &futex_first;
  while (*end) end = &(*end)->next;
  *end = &self;
  int isOver = 0;
  while (!self.isWoken && !isOver) {
    if (timeout)
      isOver = pthread_cond_timedwait(&futex_changed, &futex_lock, timeout) != 0;
    else
      pthread_cond_wait(&futex_changed, &futex_lock);
  }
  futex_remove(&self);
  pthread_mutex_unlock(&futex_lock);
  if (self.isWoken) return 0;
  errno = ETIMEDOUT;
  return -1;
}

static long futex_wake(const int *address, int most) {
  long count = 0;
  pthread_mutex_lock(&futex_lock);
  for (struct futex_waiter *waiter = futex_first; waiter && count < most; waiter = waiter->next) {
    if (waiter->at != address || waiter->isWoken) continue;
    waiter->isWoken = 1;
    ++count;
  }
  if (count) pthread_cond_broadcast(&futex_changed);
  pthread_mutex_unlock(&futex_lock);
  return count;
}

long syscall(long number, ...) {
  va_list given;
  va_start(given, number);
  long result = -1;
  if (number == SYS_futex) {
    int *address = va_arg(given, int *);
    int command = va_arg(given, int) & kCommand;
    int value = va_arg(given, int);
    const struct timespec *timeout = va_arg(given, const struct timespec *);
    heddle_assumption("a wait on a futex ends when it is woken, and those who wait longest first");
    if (command == kWait || command == kWaitBits) {
      result = futex_wait(address, value, timeout);
    } else if (command == kWake || command == kWakeBits) {
      result = futex_wake(address, value);
    } else {
      heddle_assumption("operations of futex beside wait and wake fail");
      errno = ENOSYS;
    }
  } else {
    heddle_assumption("a system call by number changes nothing that the program can see");
    result = syscall_by_number(number);
  }
  va_end(given);
  return result;
}
