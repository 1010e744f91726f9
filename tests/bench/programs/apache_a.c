// apache-a (con2colic set), a small model of the published bug in a buffered log: the length of the buffer is read, the
// line is copied there, and the length is raised, all without a lock.
//
// Bug: two lines overlap, or the buffer runs over. The lengths of the lines are inputs.
//
// Paper: con2colic 411 runs, 92 s; MPC 80 paths to the end (found at 6 and 37), 9.5 s.
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#define SIZE 4

int heddle_input_int(void);
void heddle_assume(int condition);

static int used, written, flushed;
static int owner[SIZE];

static void flush(void) {
  flushed += used;
  used = 0;
}

static void *logLine(void *number) {
  int me = (int)(long)number;
  int length = heddle_input_int();
  heddle_assume(1 <= length && length <= 3);
  if (length + used > SIZE) flush();
  int at = used;
  assert(at + length <= SIZE);
  for (int k = 0; k < length; k++) owner[at + k] = me;
  used = at + length;
  for (int k = 0; k < length; k++) assert(owner[at + k] == me);
  __atomic_fetch_add(&written, length, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS];
  for (long k = 0; k < WRITERS; k++) pthread_create(&threads[k], NULL, logLine, (void *)(k + 1));
  for (int k = 0; k < WRITERS; k++) pthread_join(threads[k], NULL);
  assert(used + flushed == written);
  return 0;
}
