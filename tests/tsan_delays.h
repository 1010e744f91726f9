// Forced into a program by tests/tsan_compare.mjs: each thread sleeps where the schedule of a finding
// switches to it. Sleeping orders nothing, so ThreadSanitizer sees the threads as unordered as they are. The
// tables come before, from the script.
#pragma once
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct heddle_turn {
  const char* thread;
  int line;
  int rank;
};
struct heddle_value {
  const char* thread;
  long long value;
};
static const struct heddle_turn heddle_turns[] = {HEDDLE_TURNS{0, 0, 0}};
static const struct heddle_value heddle_values[] = {HEDDLE_VALUES{0, 0}};

static __thread char heddle_label[64] = "T0";
static __thread int heddle_children, heddle_next, heddle_asked;
static struct timespec heddle_begin;

__attribute__((constructor)) static void heddle_start(void) {
  clock_gettime(CLOCK_MONOTONIC, &heddle_begin);
}

/* The thread stands before `line`: if its next turn begins here, until then. */
static inline void heddle_at(int line) {
  for (;; heddle_next++) {
    const struct heddle_turn* turn = &heddle_turns[heddle_next];
    if (!turn->thread) return;
    if (strcmp(turn->thread, heddle_label) != 0) continue;
    if (turn->line != line) return;
    struct timespec until = heddle_begin;
    long long nanos = until.tv_nsec + turn->rank * 40000000LL;
    until.tv_sec += nanos / 1000000000;
    until.tv_nsec = nanos % 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
    heddle_next++;
    return;
  }
}

static inline long long heddle_value(void) {
  int found = 0;
  for (int i = 0; heddle_values[i].thread; i++)
    if (strcmp(heddle_values[i].thread, heddle_label) == 0 && found++ == heddle_asked) {
      heddle_asked++;
      return heddle_values[i].value;
    }
  return 0;
}

struct heddle_body {
  char label[64];
  void* (*run)(void*);
  void* argument;
};
static inline void* heddle_run(void* p) {
  struct heddle_body body = *(struct heddle_body*)p;
  free(p);
  strcpy(heddle_label, body.label);
  return body.run(body.argument);
}
/* Threads are named as in a report: T1, T2, and T1.1 for the first one that T1 makes. */
static inline int heddle_create(pthread_t* id, const pthread_attr_t* attributes, void* (*run)(void*),
                                void* argument) {
  struct heddle_body* body = malloc(sizeof *body);
  const int number = ++heddle_children;
  const int length = strcmp(heddle_label, "T0") == 0 ? 0 : (int)strlen(heddle_label);
  memcpy(body->label, heddle_label, (size_t)length);
  char digits[16];
  int count = 0;
  for (int rest = number; rest; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  char* out = body->label + length;
  *out++ = length ? '.' : 'T';
  while (count) *out++ = digits[--count];
  *out = 0;
  body->run = run;
  body->argument = argument;
  return (pthread_create)(id, attributes, heddle_run, body);
}
#define pthread_create(id, attributes, run, argument) heddle_create(id, attributes, run, argument)

/* What verifiers give a program. */
static pthread_mutex_t heddle_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {
  pthread_mutex_lock(&heddle_section);
}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {
  pthread_mutex_unlock(&heddle_section);
}
__attribute__((weak)) void __VERIFIER_assume(int condition) {
  if (!condition) _Exit(0);
}
__attribute__((weak)) void heddle_assume(int condition) {
  if (!condition) _Exit(0);
}
__attribute__((weak)) void assume_abort_if_not(int condition) {
  if (!condition) _Exit(0);
}
__attribute__((weak)) int __VERIFIER_nondet_int(void) {
  return (int)heddle_value();
}
__attribute__((weak)) int heddle_input_int(void) {
  return (int)heddle_value();
}
__attribute__((weak)) unsigned __VERIFIER_nondet_uint(void) {
  return (unsigned)heddle_value();
}
__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) {
  return heddle_value() != 0;
}
