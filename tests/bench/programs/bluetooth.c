// bluetooth (con2colic set), the driver that is known from the literature on context bounds: users of the device count
// themselves in, and the one who stops it waits until they are out.
//
// Bug: a user looks at the flag, the driver is stopped completely, and the user goes on. FIXED=1 counts in before the look;
// no bug.
//
// Paper: con2colic 11 runs, 0.8 s; MPC 36 paths (found at 3), 2.5 s.
#include <assert.h>
#include <pthread.h>

#ifndef USERS
#define USERS 1
#endif
#ifndef FIXED
#define FIXED 0
#endif

void heddle_assume(int condition);

static int pending = 1, stopping, event, stopped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void countIn(void) {
  pthread_mutex_lock(&mutex);
  pending++;
  pthread_mutex_unlock(&mutex);
}

static void countOut(void) {
  pthread_mutex_lock(&mutex);
  pending--;
  int left = pending;
  pthread_mutex_unlock(&mutex);
  if (left == 0) event = 1;
}

static int begin(void) {
#if FIXED
  countIn();
  if (stopping) {
    countOut();
    return 0;
  }
#else
  if (stopping) return 0;
  countIn();
#endif
  return 1;
}

static void *use(void *unused) {
  if (begin()) {
    assert(!stopped);
    countOut();
  }
  return unused;
}

static void *stop(void *unused) {
  stopping = 1;
  countOut();
  heddle_assume(event);
  stopped = 1;
  return unused;
}

int main(void) {
  pthread_t users[USERS], stopper;
  for (int k = 0; k < USERS; k++) pthread_create(&users[k], NULL, use, NULL);
  pthread_create(&stopper, NULL, stop, NULL);
  for (int k = 0; k < USERS; k++) pthread_join(users[k], NULL);
  pthread_join(stopper, NULL);
  return 0;
}
