// A stack of CAP places, with any number of pushes and pops of two threads: it holds what was pushed and not
// popped.
#include <assert.h>
#include <pthread.h>

#define CAP 100

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int top, slots[CAP], pushed, popped;

static void *push(void *unused) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    if (top < CAP) {
      slots[top++] = __VERIFIER_nondet_int();
      pushed++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *pop(void *unused) {
  int sum = 0;
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    if (top > 0) {
      sum += slots[--top];
#ifdef BUGGY
      if (sum != 7) popped++;
#else
      popped++;
#endif
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t pusher, popper;
  pthread_create(&pusher, 0, push, 0);
  pthread_create(&popper, 0, pop, 0);
  pthread_join(pusher, 0);
  pthread_join(popper, 0);
  assert(pushed - popped == top);
  return 0;
}
