/* Verifier primitives for programs that are built to run: inputs are the numbers of the environment variable HEDDLE_INPUT, one
 * after the other, the last one again and again (0 when it is not set); an assumption that does not hold ends the program. All are
 * weak: the program's own come first.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

static int64_t next_input(void) {
  static _Atomic(const char *) position;
  const char *at = atomic_load(&position);
  if (!at) at = getenv("HEDDLE_INPUT");
  if (!at) return 0;
  char *end;
  const int64_t value = strtoll(at, &end, 0);
  while (*end == ',' || *end == ' ') end++;
  atomic_store(&position, *end ? end : at);
  return value;
}

/* For measurements: with HEDDLE_TIME set, how long main and its exit took, on stderr. */
#include <time.h>
static struct timespec began;
__attribute__((constructor)) static void begin(void) { clock_gettime(CLOCK_MONOTONIC, &began); }
__attribute__((destructor)) static void tell_time(void) {
  struct timespec now;
  if (!getenv("HEDDLE_TIME")) return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "heddle: %lld ns\n",
          (long long)(now.tv_sec - began.tv_sec) * 1000000000 + (now.tv_nsec - began.tv_nsec));
}

/* For tests: at any event a thread may lose its turn, or a while. HEDDLE_SHAKE is the seed; 0 or none: nobody is shaken. */
#include <sched.h>
#include <unistd.h>
WEAK void heddle_shake(void) {
  static _Atomic unsigned threads;
  static _Thread_local unsigned state;
  if (!state) {
    const char *seed = getenv("HEDDLE_SHAKE");
    state = 1 + (seed ? (unsigned)strtoul(seed, NULL, 0) : 0) * 2654435761u + atomic_fetch_add(&threads, 1) * 40503u;
    if (!seed) state = 0;
    if (!state) return;
  }
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  if (state % 4 == 0) sched_yield();
  if (state % 16 == 1) usleep(state % 200);
}

#define INPUT(name, type)                                                       \
  WEAK type heddle_input_##name(void) { return (type)next_input(); }            \
  WEAK type __VERIFIER_nondet_##name(void) { return (type)next_input(); }
INPUT(int, int)
INPUT(uint, unsigned)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(char, char)
INPUT(uchar, unsigned char)
INPUT(bool, _Bool)
WEAK int heddle_input(const char *name) {
  (void)name;
  return (int)next_input();
}

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int depth;
WEAK void __VERIFIER_atomic_begin(void) {
  if (depth++ == 0) pthread_mutex_lock(&section);
}
WEAK void __VERIFIER_atomic_end(void) {
  if (--depth == 0) pthread_mutex_unlock(&section);
}

static void check(int condition) {
  if (condition) return;
  fputs("heddle: assertion failed\n", stderr);
  abort();
}
WEAK void reach_error(void) { check(0); }
WEAK void __VERIFIER_error(void) { check(0); }
WEAK void __VERIFIER_assert(int condition) { check(condition); }
WEAK void heddle_assert(int condition) { check(condition); }
static void assume_true(int condition) {
  if (!condition) exit(0);
}
WEAK void heddle_assume(int condition) { assume_true(condition); }
WEAK void __VERIFIER_assume(int condition) { assume_true(condition); }
WEAK void assume_abort_if_not(int condition) { assume_true(condition); }
