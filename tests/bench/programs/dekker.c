// Dekker's mutual exclusion, MPC paper, Table 2: two threads, each looks at most P times whether it may enter and then
// gives up.
//
// No bug: the section is exclusive on every schedule. TURN=1 is the whole algorithm with the turn; TURN=0 lowers the flag
// after every look, without a turn; TURN=2, as the paper's driver has it, gives the turn away first (Peterson's order).
//
// Paper, paths and seconds: P=20 929/84, P=30 2,970/346. There are 2P(P+3) paths with TURN=2; OPEN=1 leaves the flags' first
// values open, as the paper's driver for P=30 does, and adds none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef P
#define P 20
#endif
#ifndef TURN
#define TURN 1
#endif
#ifndef OPEN
#define OPEN 0
#endif
#if OPEN
int heddle_input_int(void);
#endif

static atomic_int raised[2], turn;
static int owner;

static void enter(int me) {
  owner = me;
  assert(owner == me);
}

#if TURN == 1

static void *contend(void *number) {
  int me = (int)(long)number, other = 1 - me;
  int looks = 0;
  raised[me] = 1;
  while (raised[other]) {
    if (++looks >= P) goto out;
    if (turn != me) {
      raised[me] = 0;
      while (turn != me)
        if (++looks >= P) return NULL;
      raised[me] = 1;
    }
  }
  enter(me);
  turn = other;
out:
  raised[me] = 0;
  return NULL;
}

#elif TURN == 2

static void *contend(void *number) {
  int me = (int)(long)number, other = 1 - me;
  raised[me] = 1;
  turn = other;
  for (int looks = 0; looks < P; looks++) {
    if (!raised[other] || turn != other) {
      enter(me);
      break;
    }
  }
  raised[me] = 0;
  return NULL;
}

#else

static void *contend(void *number) {
  int me = (int)(long)number, other = 1 - me;
  for (int looks = 0; looks < P; looks++) {
    raised[me] = 1;
    if (!raised[other]) {
      enter(me);
      raised[me] = 0;
      return NULL;
    }
    raised[me] = 0;
  }
  return NULL;
}

#endif

int main(void) {
#if OPEN
  for (int k = 0; k < 2; k++) raised[k] = heddle_input_int();
#endif
  pthread_t threads[2];
  for (long k = 0; k < 2; k++) pthread_create(&threads[k], NULL, contend, (void *)k);
  for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
  return 0;
}
