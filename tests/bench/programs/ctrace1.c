// ctrace1 (con2colic set), a small model of the tracing library: threads register in a table and trace at the level of the
// unit, which another thread may switch while they are at it.
//
// Two bugs: the level is read twice, and the slot of the table is chosen before it is claimed.
//
// Paper: con2colic 5 runs, 0.75 s, finds one of the two; MPC 10 paths (found at 1 and 2), 3.1 s.
#include <assert.h>
#include <pthread.h>

int heddle_input_int(void);

static int level = 1, entries, slots[2];

static void *traced(void *number) {
  int me = (int)(long)number;
  int slot = entries;
  slots[slot] = me;
  entries = slot + 1;
  int wanted = heddle_input_int();
  if (level >= wanted) {
    int printed = level;
    assert(printed >= wanted);
  }
  assert(slots[slot] == me);
  return NULL;
}

static void *switched(void *unused) {
  level = heddle_input_int();
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, traced, (void *)1L);
  pthread_create(&b, NULL, traced, (void *)2L);
  pthread_create(&c, NULL, switched, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
