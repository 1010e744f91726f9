/* The run-time of programs that Heddle builds: keeps the threads to a plan.
 *
 * Behind this text stand the tables of one plan (plan_waits, plan_steps, plan_threads, plan_sites), written by Heddle.
 * The program calls the functions below at the sites that the plan names; nothing else of it carries code.
 *
 * Each thread has a clock of its own: 2 * n + 1 once it has begun its step n, 2 * n + 2 once it has ended it. A step waits for
 * ticks of other threads: it spins, then yields, then sleeps in the kernel.
 *
 * A thread that comes to another site than the plan says, or waits for a step that nobody comes to, has diverged: the program
 * ends with code 3 and a line that says where.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct plan_wait {
  uint32_t thread, tick;
};
struct plan_step {
  uint32_t site, before_from, before_to, resume_from, resume_to, flags;
  int64_t input;
};
enum { STEP_SPLITS = 1, STEP_INPUT = 2, STEP_FILLS = 4, STEP_EMULATED = 8, STEP_UNFINISHED = 16, STEP_NOTES = 32 };
struct plan_thread {
  const char *name;
  uint32_t parent, ordinal, first, count, end;
};
enum { END_FREE, END_HELD, END_FAILS, END_STUCK, END_SPINS, END_RACES, END_OVERLAPS, END_FAULTS };
struct plan_site {
  uint32_t number, flags;
  const char *place, *text;
};
enum { SITE_LEAVES = 1, SITE_CREATES = 2, SITE_WAITS = 4 };

HEDDLE_PLAN

enum { NO_THREAD = 0xffffffffu, NESTED = 64, PATIENCE = 200 /* sleeps of 50 ms */ };

struct clock {
  _Alignas(64) _Atomic uint32_t tick;
  _Atomic uint32_t sleepers;
};
static struct clock clocks[PLAN_THREADS];

struct self {
  uint32_t index;   /* in the plan; NO_THREAD: it does not occur there */
  uint32_t creates; /* threads it has created */
  uint32_t next;    /* step */
  uint32_t depth;
  uint32_t open[NESTED]; /* steps that have begun and not ended */
};
static _Thread_local struct self self = {0, 0, 0, 0, {0}};

static _Atomic uint32_t stuck, met;
static _Atomic int over;

static const struct plan_site *site_of(uint32_t number) {
  uint32_t low = 0, high = PLAN_SITES;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (plan_sites[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return &plan_sites[low];
}

static const char *name_of(uint32_t thread) {
  return thread == NO_THREAD ? "a thread that the plan does not know" : plan_threads[thread].name;
}

static void tell(const char *text) {
  const ssize_t ignored = write(2, text, strlen(text));
  (void)ignored;
}

_Noreturn static void hold(void) {
  while (1) pause();
}

_Noreturn static void diverged(const char *what, uint32_t site) {
  char text[1024];
  if (atomic_exchange(&over, 1)) hold();
  const struct plan_site *at = site_of(site);
  snprintf(text, sizeof text, "heddle: diverged: %s, %s at %s (site %u), %s\nheddle: the plan was for: %s\n",
           name_of(self.index), at->text, at->place, site, what, plan_finding);
  tell(text);
  _exit(3);
}

/* The finding has happened: says so and ends the program as a failed assertion does. */
_Noreturn static void fail(const char *how) {
  char text[1024];
  if (atomic_exchange(&over, 1)) hold();
  snprintf(text, sizeof text, "heddle: %s%s\n", plan_finding, how);
  tell(text);
  abort();
}

static void publish(uint32_t thread, uint32_t tick) {
  if (atomic_load_explicit(&clocks[thread].tick, memory_order_relaxed) >= tick) return;
  atomic_store(&clocks[thread].tick, tick);
  if (atomic_load(&clocks[thread].sleepers))
    syscall(SYS_futex, &clocks[thread].tick, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static int reached(const struct plan_wait *wait) {
  return atomic_load_explicit(&clocks[wait->thread].tick, memory_order_acquire) >= wait->tick;
}

static void await(const struct plan_wait *wait, uint32_t site) {
  for (int i = 0; i < 200; i++) {
    if (reached(wait)) return;
    __builtin_ia32_pause();
  }
  for (int i = 0; i < 50; i++) {
    if (reached(wait)) return;
    sched_yield();
  }
  struct clock *clock = &clocks[wait->thread];
  atomic_fetch_add(&clock->sleepers, 1);
  uint32_t last = 0;
  for (int rounds = 0; !reached(wait); rounds++) {
    const uint32_t seen = atomic_load(&clock->tick);
    if (seen >= wait->tick) break;
    if (seen != last) rounds = 0;
    last = seen;
    if (rounds == PATIENCE) {
      char text[256];
      snprintf(text, sizeof text, "waits for step %u of %s, which does not come", (wait->tick - 1) / 2,
               name_of(wait->thread));
      diverged(text, site);
    }
    const struct timespec patience = {0, 50000000};
    syscall(SYS_futex, &clock->tick, FUTEX_WAIT_PRIVATE, seen, &patience, NULL, 0);
  }
  atomic_fetch_sub(&clock->sleepers, 1);
}

static void await_all(uint32_t from, uint32_t to, uint32_t site) {
  for (uint32_t i = from; i < to; i++) await(&plan_waits[i], site);
}

static int is_stuck(const struct plan_thread *thread) {
  return thread->end == END_STUCK || thread->end == END_SPINS;
}

/* Deadlocks: once all threads have come to where they wait for ever, it is looked whether they do. */
static void *watch(void *unused) {
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < PLAN_THREADS; i++) wanted += is_stuck(&plan_threads[i]);
  while (atomic_load(&stuck) < wanted) usleep(1000);
  usleep(300000);
  char text[900] = ": as planned,";
  for (uint32_t i = 0; i < PLAN_THREADS; i++) {
    if (!is_stuck(&plan_threads[i]) || plan_threads[i].count == 0) continue;
    const struct plan_site *at =
        site_of(plan_steps[plan_threads[i].first + plan_threads[i].count - 1].site);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, " %s waits for ever at %s (%s);", plan_threads[i].name, at->place,
             at->text);
  }
  fail(text);
  return unused;
}

__attribute__((constructor)) static void start(void) {
  for (uint32_t i = 0; i < PLAN_THREADS; i++)
    if (is_stuck(&plan_threads[i])) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
      return;
    }
}

static uint32_t leaked(void);

static int is_leak(void) { return strncmp(plan_finding, "memory leak", 11) == 0; }

__attribute__((destructor)) static void stop(void) {
  char text[512];
  if (is_leak() && leaked()) fail(": blocks are left that nobody has freed");
  if (atomic_exchange(&over, 1)) return;
  snprintf(text, sizeof text, "heddle: diverged: the program ended without this: %s\n", plan_finding);
  tell(text);
  _exit(3);
}

/* The step that the calling thread is at; NULL: its plan is over, or it has none. */
static const struct plan_step *current(uint32_t site) {
  if (self.index == NO_THREAD) return NULL;
  const struct plan_thread *plan = &plan_threads[self.index];
  if (self.next >= plan->count) {
    if (plan->end == END_HELD) hold();
    if (plan->end == END_FAILS) diverged("should have failed before", site);
    return NULL; /* it goes round until the others have said what is wrong */
  }
  const struct plan_step *step = &plan_steps[plan->first + self.next];
  if (step->site != site) {
    const struct plan_site *expected = site_of(step->site);
    char text[512];
    snprintf(text, sizeof text, "where step %u of the plan is: %s at %s (site %u)", self.next, expected->text,
             expected->place, step->site);
    diverged(text, site);
  }
  return step;
}

static int is_last(uint32_t step) {
  return step + 1 == plan_threads[self.index].count;
}

static struct {
  uintptr_t address;
  uint32_t size;
  int writes;
} racing[2];

/* Both racing threads stand before their accesses: then each makes its own. */
static void meet(void *address, uint32_t size, int writes) {
  const uint32_t place = atomic_fetch_add(&met, 1);
  if (place < 2) {
    racing[place].address = (uintptr_t)address;
    racing[place].size = size;
    racing[place].writes = writes;
  }
  atomic_fetch_add(&met, 0x10000);
  for (int rounds = 0; (atomic_load(&met) >> 16) < 2; rounds++) {
    if (rounds < 1000)
      sched_yield();
    else
      usleep(1000);
    if (rounds > 11000) diverged("waits for the other access of the race, which does not come", NO_THREAD);
  }
  if (racing[0].size && racing[1].size &&
      (racing[0].address >= racing[1].address + racing[1].size ||
       racing[1].address >= racing[0].address + racing[0].size))
    diverged("does not access what the other thread accesses", NO_THREAD);
}

static void begin(uint32_t site, void *address, uint32_t size, int writes) {
  const struct plan_step *step = current(site);
  if (!step) {
    if (self.depth < NESTED) self.open[self.depth] = NO_THREAD;
    self.depth++;
    return;
  }
  const uint32_t number = self.next++;
  const uint32_t ending = plan_threads[self.index].end;
  if (self.depth < NESTED) self.open[self.depth] = number;
  self.depth++;
  await_all(step->before_from, step->before_to, site);
  if ((step->flags & STEP_FILLS) && address) memcpy(address, &step->input, size < 8 ? size : 8);
  if (is_last(number) && ending == END_FAULTS && !size && !is_leak()) fail(": the program has come to it");
  if (step->flags & STEP_NOTES && ending != END_RACES) {
    racing[0].address = (uintptr_t)address;
    racing[0].size = size;
  }
  if (is_last(number) && ending == END_OVERLAPS) {
    if (size && racing[0].size &&
        (racing[0].address >= (uintptr_t)address + size || (uintptr_t)address >= racing[0].address + racing[0].size))
      diverged("does not access what the other thread has accessed", site);
    fail(": both threads made their accesses, and only a flag that races itself kept them apart");
  }
  if (site_of(site)->flags & SITE_LEAVES) {
    publish(self.index, 2 * number + 2);
    if (ending == END_HELD && is_last(number)) hold();
    self.depth--;
    return;
  }
  /* Of a wait on a condition variable the mutex must be free before. */
  if ((step->flags & STEP_UNFINISHED || (is_last(number) && ending == END_STUCK)) && !(site_of(site)->flags & SITE_WAITS))
    publish(self.index, 2 * number + 2);
  if (is_last(number) && is_stuck(&plan_threads[self.index])) atomic_fetch_add(&stuck, 1);
  if (is_last(number) && ending == END_RACES) {
    publish(self.index, 2 * number + 2);
    if (!(site_of(site)->flags & SITE_CREATES)) meet(address, size, writes);
  }
  if (step->flags & STEP_SPLITS) publish(self.index, 2 * number + 1);
}

static void end(uint32_t site) {
  if (self.index == NO_THREAD || self.depth == 0) return;
  self.depth--;
  if (self.depth >= NESTED || self.open[self.depth] == NO_THREAD) return;
  const uint32_t number = self.open[self.depth];
  const uint32_t ending = plan_threads[self.index].end;
  const struct plan_step *step = &plan_steps[plan_threads[self.index].first + number];
  if (step->site != site) return; /* left by longjmp */
  await_all(step->resume_from, step->resume_to, site);
  if (is_last(number) && ending == END_RACES) {
    /* Who creates the other thread writes its name: they can meet only behind that. */
    if (site_of(site)->flags & SITE_CREATES) meet(NULL, 0, 1);
    if (atomic_fetch_add(&met, 0x100) >> 8 & 1) fail(": both threads made their accesses with nothing between");
    hold();
  }
  if (is_last(number) && ending == END_FAULTS) fail(": the program has made the access, and the machine let it pass");
  if (is_last(number) && ending == END_STUCK && strncmp(site_of(site)->text, "call", 4) == 0)
    diverged("was to wait for ever, and went on", site);
  publish(self.index, 2 * number + 2);
  if (ending == END_HELD && is_last(number)) hold();
}

void heddle_before(uint32_t site) { begin(site, NULL, 0, 0); }
void heddle_access(uint32_t site, void *address, uint32_t size) { begin(site, address, size >> 1, size & 1); }
void heddle_after(uint32_t site) { end(site); }

/* What the call of the step gives; 0 where the plan is over. */
uint64_t heddle_input(uint32_t site) {
  const uint32_t number = self.next;
  begin(site, NULL, 0, 0);
  const int planned = self.index != NO_THREAD && number < plan_threads[self.index].count;
  const int64_t value = planned ? plan_steps[plan_threads[self.index].first + number].input : 0;
  end(site);
  return (uint64_t)value;
}

struct child {
  void *(*function)(void *);
  void *argument;
  uint32_t index;
};

static void *run(void *argument) {
  const struct child child = *(struct child *)argument;
  free(argument);
  self.index = child.index;
  const int known = self.index != NO_THREAD;
  if (!known || (plan_threads[self.index].end == END_HELD && plan_threads[self.index].count == 0)) hold();
  void *result = child.function(child.argument);
  if (plan_threads[self.index].end == END_FAILS) diverged("has ended and should have failed before", NO_THREAD);
  if (plan_threads[self.index].end == END_HELD) hold();
  return result;
}

static struct child *child_of(void *(*function)(void *), void *argument) {
  struct child *child = malloc(sizeof *child);
  if (!child) abort();
  child->function = function;
  child->argument = argument;
  child->index = NO_THREAD;
  self.creates++;
  for (uint32_t i = 1; i < PLAN_THREADS; i++)
    if (plan_threads[i].parent == self.index && plan_threads[i].ordinal == self.creates) child->index = i;
  return child;
}

int heddle_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument) {
  return pthread_create(id, attributes, run, child_of(function, argument));
}

int heddle_thrd_create(pthread_t *id, int (*function)(void *), void *argument) {
  return pthread_create(id, NULL, run, child_of((void *(*)(void *))(uintptr_t)function, argument)) ? 2 : 0;
}

/* A wait that the plan wakes: who signals is in the plan as well, so no signal is needed. Nonzero: its time is over. */
static int emulated(pthread_mutex_t *mutex, int *result) {
  if (self.index == NO_THREAD || self.depth == 0 || self.depth > NESTED) return 0;
  const uint32_t number = self.open[self.depth - 1];
  if (number == NO_THREAD) return 0;
  const struct plan_step *step = &plan_steps[plan_threads[self.index].first + number];
  if (!(step->flags & (STEP_EMULATED | STEP_UNFINISHED))) return 0;
  pthread_mutex_unlock(mutex);
  publish(self.index, 2 * number + 1);
  if (!(step->flags & STEP_EMULATED)) {
    publish(self.index, 2 * number + 2);
    hold(); /* nobody wakes it before the plan is over */
  }
  await_all(step->resume_from, step->resume_to, step->site);
  pthread_mutex_lock(mutex);
  *result = (step->flags & STEP_INPUT) && step->input ? ETIMEDOUT : 0;
  return 1;
}

int heddle_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int result = 0;
  return emulated(mutex, &result) ? result : pthread_cond_wait(condition, mutex);
}

int heddle_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  int result = 0;
  return emulated(mutex, &result) ? result : pthread_cond_timedwait(condition, mutex, time);
}

int heddle_cnd_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return heddle_pthread_cond_wait(condition, mutex);
}

int heddle_cnd_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  const int result = heddle_pthread_cond_timedwait(condition, mutex, time);
  return result == ETIMEDOUT ? 4 : result;
}
