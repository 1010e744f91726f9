/* The run-time of a program that keeps to scheduling constraints. It is a unit of the program: the same text is explored with it
 * (HEDDLE_MODEL), which proves that the constraints exclude every failure and hold nobody up for ever, and compiled with it.
 *
 * Behind this text stand the tables of the constraints. An event is a thread's n-th pass of a site; who waits for an event
 * goes on once it is settled: it has happened, or cannot happen any more because its thread has ended, or an input has come for
 * which the constraint was not made.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

enum { NO_THREAD = -1 };

/* An event that others wait for, and an event that waits for one. */
struct enforced_event {
  int thread;
  unsigned pass;
  unsigned source; /* number of the event that is waited for, by those who wait for it under one condition */
};
/* A thread's n-th pass of a site gives an input. Where it lies outside, what is waited for under this condition is settled. */
struct enforced_range {
  int thread;
  unsigned pass;
  long long low, high;
  unsigned settles_from, settles_to; /* in enforced_settled; none: no such input is looked at (for exploring) */
};
struct enforced_thread {
  int parent;
  unsigned ordinal; /* among the parent's creates, from 1 */
};
struct enforced_site {
  unsigned waits_from, waits_to, tells_from, tells_to, ranges_from, ranges_to;
  unsigned last_pass; /* none behind it matters */
};

HEDDLE_CONSTRAINTS

#ifdef HEDDLE_MODEL
extern void heddle_assume(int condition);

static atomic_int happened[ENFORCED_SOURCES];

static void wait_for(unsigned source, unsigned wait) {
  (void)wait;
  while (!atomic_load(&happened[source])) {
  }
}
static void tell(unsigned source) { atomic_store(&happened[source], 1); }

#else

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
  _Alignas(64) atomic_int value;
  atomic_int sleepers;
} happened[ENFORCED_SOURCES];

#ifdef ENFORCED_RELAX_FROM
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* A verifier goes on meanwhile, and writes which constraints are still needed: the others hold nobody up any more. What it writes is a
 * part of what there was, so whatever has happened under more constraints could have happened under these: fewer can be taken at
 * any time, at the start and while somebody waits.
 *
 * The file is data, and not trusted: it must belong to who runs the program (or root) and be writable by nobody else, be for this
 * program, name what is there, and be whole. Else nothing is taken from it. Only calls of the system are made, as a thread may wait anywhere. */
enum { CONSTRAINTS = sizeof enforced_lines / sizeof *enforced_lines, MOST_BYTES = 1 << 24 };
static atomic_char needless[CONSTRAINTS];

struct reader {
  int file;
  unsigned at, end, total;
  char bytes[1024];
};
/* The next line up to its comment, without spaces at its end. 0: there is none, or it is too long. */
static int next_line(struct reader *r, char *line, unsigned size) {
  unsigned length = 0, kept = 0;
  int isComment = 0;
  for (;;) {
    if (r->at == r->end) {
      const ssize_t got = read(r->file, r->bytes, sizeof r->bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || (r->total += (unsigned)got) > MOST_BYTES) return 0;
      r->at = 0;
      r->end = (unsigned)got;
    }
    const char c = r->bytes[r->at++];
    if (c == '\n') break;
    isComment |= c == '#';
    if (isComment) continue;
    if (c == 0 || length + 1 == size) return 0;
    line[length++] = c;
    if (c != ' ') kept = length;
  }
  line[kept] = 0;
  return 1;
}

static int is_needed_list(int file, char *needed) {
  struct reader r = {file, 0, 0, 0, {0}};
  char line[512];
  unsigned lines = 0;
  if (!next_line(&r, line, sizeof line) || strcmp(line, ENFORCED_HEADER) != 0) return 0;
  while (next_line(&r, line, sizeof line)) {
    if (strncmp(line, "end ", 4) == 0) { /* how many there are, and nothing behind */
      unsigned count = 0;
      const char *c = line + 4;
      for (; *c >= '0' && *c <= '9' && count <= CONSTRAINTS; c++) count = count * 10 + (unsigned)(*c - '0');
      return *c == 0 && count == lines && !next_line(&r, line, sizeof line);
    }
    unsigned i = 0;
    while (i < CONSTRAINTS && strcmp(line, enforced_lines[i].text) != 0) i++;
    if (i == CONSTRAINTS || needed[enforced_lines[i].wait]) return 0;
    needed[enforced_lines[i].wait] = 1;
    lines++;
  }
  return 0;
}

static void relax(void) {
  static atomic_flag isRead = ATOMIC_FLAG_INIT;
  static struct stat last;
  if (atomic_flag_test_and_set(&isRead)) return; /* another thread is at it */
  char needed[CONSTRAINTS] = {0};
  struct stat now;
  const int error = errno;
  const int file = open(ENFORCED_RELAX_FROM, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file >= 0 && fstat(file, &now) == 0 &&
      (now.st_ino != last.st_ino || now.st_dev != last.st_dev || now.st_size != last.st_size || now.st_mtim.tv_sec != last.st_mtim.tv_sec ||
       now.st_mtim.tv_nsec != last.st_mtim.tv_nsec)) {
    last = now;
    int isTaken = S_ISREG(now.st_mode) && (now.st_uid == geteuid() || now.st_uid == 0) && (now.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                  is_needed_list(file, needed);
    /* Of two lists neither of which is a part of the other, what both leave out was never proved. */
    for (unsigned i = 0; i < CONSTRAINTS; i++) isTaken &= !(needed[i] && needless[i]);
    for (unsigned i = 0; isTaken && i < CONSTRAINTS; i++)
      if (!needed[i]) atomic_store_explicit(&needless[i], 1, memory_order_release);
  }
  if (file >= 0) close(file);
  errno = error;
  atomic_flag_clear(&isRead);
}
__attribute__((constructor)) static void relax_at_start(void) { relax(); }

static int is_needless(unsigned wait) { return atomic_load_explicit(&needless[wait], memory_order_acquire); }
static const struct timespec patience = {0, 50000000}; /* between two looks at the file */
static const struct timespec *const longest = &patience;
#else
static void relax(void) {}
static int is_needless(unsigned wait) { return (int)(wait & 0); }
static const struct timespec *const longest = NULL;
#endif

static void __attribute__((noinline)) wait_long(unsigned source, unsigned wait) {
  for (int i = 0; i < 100; i++) {
    __builtin_ia32_pause();
    if (atomic_load_explicit(&happened[source].value, memory_order_acquire)) return;
  }
  for (int i = 0; i < 20; i++) {
    sched_yield();
    if (atomic_load_explicit(&happened[source].value, memory_order_acquire)) return;
  }
  atomic_fetch_add(&happened[source].sleepers, 1);
  while (!atomic_load(&happened[source].value)) {
    relax();
    if (is_needless(wait)) break;
    syscall(SYS_futex, &happened[source].value, FUTEX_WAIT_PRIVATE, 0, longest, NULL, 0);
  }
  atomic_fetch_sub(&happened[source].sleepers, 1);
}
static void wait_for(unsigned source, unsigned wait) {
  if (!atomic_load_explicit(&happened[source].value, memory_order_acquire) && !is_needless(wait)) wait_long(source, wait);
}
static void tell(unsigned source) {
  atomic_store(&happened[source].value, 1);
  if (atomic_load(&happened[source].sleepers))
    syscall(SYS_futex, &happened[source].value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif

static _Thread_local int self = NO_THREAD;
static _Thread_local unsigned creates;
static _Thread_local unsigned passes[ENFORCED_SITES]; /* up to last_pass + 1 */

void heddle_main(void) { self = 0; }

void heddle_before(unsigned site) {
  if (self == NO_THREAD || passes[site] > enforced_sites[site].last_pass) return;
  passes[site]++;
  for (unsigned i = enforced_sites[site].waits_from; i < enforced_sites[site].waits_to; i++)
    if (enforced_waits[i].thread == self && enforced_waits[i].pass == passes[site]) wait_for(enforced_waits[i].source, i);
}

void heddle_after(unsigned site) {
  if (self == NO_THREAD || passes[site] > enforced_sites[site].last_pass) return;
  for (unsigned i = enforced_sites[site].tells_from; i < enforced_sites[site].tells_to; i++)
    if (enforced_tells[i].thread == self && enforced_tells[i].pass == passes[site]) tell(enforced_tells[i].source);
}

void heddle_saw(unsigned site, long long value) {
  if (self == NO_THREAD || passes[site] > enforced_sites[site].last_pass) return;
  for (unsigned i = enforced_sites[site].ranges_from; i < enforced_sites[site].ranges_to; i++) {
    const struct enforced_range *const range = &enforced_ranges[i];
    if (range->thread != self || range->pass != passes[site] || (value >= range->low && value <= range->high)) continue;
#ifdef HEDDLE_MODEL
    if (range->settles_from == range->settles_to) heddle_assume(0);
#endif
    for (unsigned k = range->settles_from; k < range->settles_to; k++) tell(enforced_settled[k]);
  }
}

/* What the calling thread has not done by now it will not do. */
void heddle_end(void) {
  for (unsigned site = 0; site < ENFORCED_SITES; site++)
    for (unsigned i = enforced_sites[site].tells_from; i < enforced_sites[site].tells_to; i++)
      if (enforced_tells[i].thread == self && enforced_tells[i].pass > passes[site]) tell(enforced_tells[i].source);
  self = NO_THREAD;
}

static struct {
  void *(*function)(void *);
  int (*c11)(void *);
  void *argument;
} started[ENFORCED_THREADS];

static void *run(int thread) {
  self = thread;
  void *const result = started[thread].function(started[thread].argument);
  heddle_end();
  return result;
}

static int run_c11(int thread) {
  self = thread;
  const int result = started[thread].c11(started[thread].argument);
  heddle_end();
  return result;
}

HEDDLE_RUNS

/* The number of the thread that is about to be created; NO_THREAD: no constraint is about it. */
static int next_child(void) {
  int child = NO_THREAD;
  if (self == NO_THREAD) return child;
  creates++;
  for (int i = 1; i < ENFORCED_THREADS; i++)
    if (enforced_threads[i].parent == self && enforced_threads[i].ordinal == creates) child = i;
  return child;
}

int heddle_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  const int child = next_child();
  if (child == NO_THREAD) return pthread_create(id, attributes, function, argument);
  started[child].function = function;
  started[child].argument = argument;
  return pthread_create(id, attributes, enforced_runs[child], NULL);
}

void heddle_pthread_exit(void *value) {
  if (self != NO_THREAD) heddle_end();
  pthread_exit(value);
}

int heddle_thrd_create(thrd_t *id, int (*function)(void *), void *argument) {
  const int child = next_child();
  if (child == NO_THREAD) return thrd_create(id, function, argument);
  started[child].c11 = function;
  started[child].argument = argument;
  return thrd_create(id, enforced_c11_runs[child], NULL);
}

void heddle_thrd_exit(int value) {
  if (self != NO_THREAD) heddle_end();
  thrd_exit(value);
}
