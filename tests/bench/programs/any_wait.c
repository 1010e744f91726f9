// Two threads that wait for each other any number of times: Peterson's lock, turns by a condition variable, or
// phases by a barrier (-DPETERSON, -DTURNS, -DPHASES).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

#ifdef PHASES
static unsigned rounds;
#endif

#ifdef PETERSON
static atomic_int wants[2], turn;
static int inside;

static void enter_and_leave(int me) {
  while (__VERIFIER_nondet_int()) {
    wants[me] = 1;
#ifdef BUGGY
    turn = me;
#else
    turn = 1 - me;
#endif
    while (wants[1 - me] && turn == 1 - me) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
  }
}
#endif

#ifdef TURNS
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, isClosed;

static void enter_and_leave(int me) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    while (turn != me && !isClosed) pthread_cond_wait(&changed, &lock);
    turn = 1 - me;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  isClosed = 1;
#ifndef BUGGY
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&lock);
}
#endif

#ifdef PHASES
static pthread_barrier_t phase;
static int left, right;

static void enter_and_leave(int me) {
  for (unsigned i = 0; i < rounds; i++) {
    if (me) left++;
    else right++;
    pthread_barrier_wait(&phase);
    if (me) right--;
    else left--;
#ifndef BUGGY
    pthread_barrier_wait(&phase);
#endif
  }
}
#endif

static void *first(void *unused) {
  enter_and_leave(0);
  return unused;
}

static void *second(void *unused) {
  enter_and_leave(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifdef PHASES
  rounds = __VERIFIER_nondet_int();
  pthread_barrier_init(&phase, 0, 2);
#endif
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
