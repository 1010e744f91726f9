// ctrace2 (con2colic set), a small model of the tracing library and its second driver: one thread prints trace lines while
// another ends the tracing; whoever comes first initializes the library. A lock guards the table of threads and nothing else.
//
// Two bugs: whether tracing is on is decided before a line is written, and both threads may initialize the library, so that
// one throws the other's entry away. The level of the lines is an input.
//
// Paper: con2colic not finished, found in runs 4 and 5; MPC 393 paths (found at 2 and 3), 143 s.
#include <assert.h>
#include <pthread.h>

#ifndef LINES
#define LINES 6
#endif

int heddle_input_int(void);

static int enabled, level, initialized, ended, entries, lines;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void initialize(void) {
  if (initialized) return;
  level = 1;
  enabled = 1;
  entries = 0;
  initialized = 1;
}

static void addThread(void) {
  pthread_mutex_lock(&table);
  entries++;
  pthread_mutex_unlock(&table);
}

static void print(int wanted) {
  if (!enabled || wanted < level) return;
  assert(!ended);
  pthread_mutex_lock(&table);
  lines++;
  pthread_mutex_unlock(&table);
}

static void *traced(void *unused) {
  if (!enabled) initialize();
  addThread();
  int wanted = heddle_input_int();
  for (int line = 0; line < LINES; line++) print(wanted);
  return unused;
}

static void *closing(void *unused) {
  if (!enabled) initialize();
  addThread();
  ended = 1;
  enabled = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, traced, NULL);
  pthread_create(&b, NULL, closing, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(entries == 2);
  return 0;
}
