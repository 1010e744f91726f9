// M0 to M20: MPC paper, Figure 2 and Table 1.
//
// EXTRA threads (M3 is -DEXTRA=3) may each raise x by one when their input is 10. The error needs an exact input for
// every thread and an exact interleaving. With TARGET=101+EXTRA (the default) it is reachable; with one more it is not,
// whatever the inputs and the schedule.
//
// Paper, paths (s1 without, s2 with the error): M0 6/10, M1 12/16, M3 48/52, M5 192/196, M7 768/772;
// seconds of s2: 0.79, 1.55, 5.43, 38.1, 830; M9 not within an hour.
#include <assert.h>
#include <pthread.h>

#ifndef EXTRA
#define EXTRA 0
#endif
#ifndef TARGET
#define TARGET (101 + EXTRA)
#endif

int heddle_input_int(void);
void heddle_assume(int condition);

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *thread1(void *unused) {
  int i = heddle_input_int();
  x = 2;
  y = 5;
  if (i == 3) {
    x++;
    pthread_mutex_lock(&l);
    y--;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

static void *thread2(void *unused) {
  x = 5;
  y = 0;
  if (x == TARGET) {
    if (y == 2) assert(0);
  }
  return unused;
}

static void *thread3(void *unused) {
  x = 100;
  int j = heddle_input_int();
  heddle_assume(j <= 2);
  while (j-- > 0) {
    pthread_mutex_lock(&l);
    y++;
    pthread_mutex_unlock(&l);
  }
  return unused;
}

#if EXTRA > 0
static void *extra(void *unused) {
  int k = heddle_input_int();
  if (k == 10) x++;
  return unused;
}
#endif

int main(void) {
  pthread_t threads[3 + EXTRA];
  pthread_create(&threads[0], NULL, thread1, NULL);
  pthread_create(&threads[1], NULL, thread2, NULL);
  pthread_create(&threads[2], NULL, thread3, NULL);
#if EXTRA > 0
  for (int k = 0; k < EXTRA; k++) pthread_create(&threads[3 + k], NULL, extra, NULL);
#endif
  for (int k = 0; k < 3 + EXTRA; k++) pthread_join(threads[k], NULL);
  return 0;
}
