/* The run-time of a program that keeps to scheduling constraints. It is a unit of the program: the same text is explored with it
 * (HEDDLE_MODEL), which proves that the constraints exclude every failure and hold nobody up for ever, and compiled with it.
 *
 * Behind this text stand the tables of the constraints. An event is a thread's how-many-th pass of a site; who waits for an event
 * goes on once it has happened, or cannot happen any more because its thread has ended.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NO_THREAD = -1 };

/* An event that others wait for, and an event that waits for one. */
struct enforced_event {
  int thread;
  unsigned pass;
  unsigned source; /* number of the event that is waited for */
};
struct enforced_thread {
  int parent;
  unsigned ordinal; /* among the parent's creates, from 1 */
};
struct enforced_site {
  unsigned waits_from, waits_to, tells_from, tells_to;
  unsigned last_pass; /* none behind it matters */
};

HEDDLE_CONSTRAINTS

#ifdef HEDDLE_MODEL

static atomic_int happened[ENFORCED_SOURCES];

static void wait_for(unsigned source) {
  while (!atomic_load(&happened[source])) {
  }
}
static void tell(unsigned source) { atomic_store(&happened[source], 1); }

#else

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
  _Alignas(64) atomic_int value;
  atomic_int sleepers;
} happened[ENFORCED_SOURCES];

static void __attribute__((noinline)) wait_long(unsigned source) {
  for (int i = 0; i < 100; i++) {
    __builtin_ia32_pause();
    if (atomic_load_explicit(&happened[source].value, memory_order_acquire)) return;
  }
  for (int i = 0; i < 20; i++) {
    sched_yield();
    if (atomic_load_explicit(&happened[source].value, memory_order_acquire)) return;
  }
  atomic_fetch_add(&happened[source].sleepers, 1);
  while (!atomic_load(&happened[source].value))
    syscall(SYS_futex, &happened[source].value, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  atomic_fetch_sub(&happened[source].sleepers, 1);
}
static void wait_for(unsigned source) {
  if (!atomic_load_explicit(&happened[source].value, memory_order_acquire)) wait_long(source);
}
static void tell(unsigned source) {
  atomic_store(&happened[source].value, 1);
  if (atomic_load(&happened[source].sleepers))
    syscall(SYS_futex, &happened[source].value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#ifdef ENFORCED_RELAX_FROM
#include <stdio.h>
#include <string.h>

/* A verifier has gone on meanwhile, and has written which constraints are still needed: the others hold nobody up in this run. A file of
 * another program, and one that needs what is not there, is none; the file is renamed into its place, so it is whole. */
__attribute__((constructor)) static void relax(void) {
  enum { CONSTRAINTS = sizeof enforced_lines / sizeof *enforced_lines };
  char needed[CONSTRAINTS] = {0}, line[4096];
  FILE *const file = fopen(ENFORCED_RELAX_FROM, "r");
  if (!file) return;
  int isOurs = fgets(line, sizeof line, file) && strncmp(line, ENFORCED_HEADER "\n", sizeof ENFORCED_HEADER) == 0;
  while (isOurs && fgets(line, sizeof line, file)) {
    unsigned i = 0;
    const size_t length = strcspn(line, "#\n");
    while (i < CONSTRAINTS && strncmp(line, enforced_lines[i].text, length) != 0) i++;
    if (i < CONSTRAINTS)
      needed[i] = 1;
    else
      isOurs = 0;
  }
  fclose(file);
  for (unsigned i = 0; isOurs && i < CONSTRAINTS; i++)
    if (!needed[i]) enforced_waits[enforced_lines[i].wait].thread = NO_THREAD;
}
#endif

#endif

static _Thread_local int self = NO_THREAD;
static _Thread_local unsigned creates;
static _Thread_local unsigned passes[ENFORCED_SITES]; /* up to last_pass + 1 */

void heddle_main(void) { self = 0; }

void heddle_before(unsigned site) {
  if (self == NO_THREAD || passes[site] > enforced_sites[site].last_pass) return;
  passes[site]++;
  for (unsigned i = enforced_sites[site].waits_from; i < enforced_sites[site].waits_to; i++)
    if (enforced_waits[i].thread == self && enforced_waits[i].pass == passes[site]) wait_for(enforced_waits[i].source);
}

void heddle_after(unsigned site) {
  if (self == NO_THREAD || passes[site] > enforced_sites[site].last_pass) return;
  for (unsigned i = enforced_sites[site].tells_from; i < enforced_sites[site].tells_to; i++)
    if (enforced_tells[i].thread == self && enforced_tells[i].pass == passes[site]) tell(enforced_tells[i].source);
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
  void *argument;
} started[ENFORCED_THREADS];

static void *run(int thread) {
  self = thread;
  void *const result = started[thread].function(started[thread].argument);
  heddle_end();
  return result;
}

HEDDLE_RUNS

int heddle_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  int child = NO_THREAD;
  if (self != NO_THREAD) {
    creates++;
    for (int i = 1; i < ENFORCED_THREADS; i++)
      if (enforced_threads[i].parent == self && enforced_threads[i].ordinal == creates) child = i;
  }
  if (child == NO_THREAD) return pthread_create(id, attributes, function, argument);
  started[child].function = function;
  started[child].argument = argument;
  return pthread_create(id, attributes, enforced_runs[child], NULL);
}

void heddle_pthread_exit(void *value) {
  if (self != NO_THREAD) heddle_end();
  pthread_exit(value);
}
