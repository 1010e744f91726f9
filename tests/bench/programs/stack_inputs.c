// A stack of at most N places under one lock: one thread pushes as often as an input says, the other one pops
// as often as another says and never from an empty one. What is left over are the pushes less the pops.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 5
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int top, pops, pushes, takes;

static void *push(void *unused) {
  for (int i = 0; i < pushes; i++) {
    pthread_mutex_lock(&lock);
    assert(top < N);
    top++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *pop(void *unused) {
  for (int i = 0; i < takes; i++) {
#ifdef RACY
    if (top > 0) {
      pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    if (top > 0) {
#endif
      top--;
      pops++;
#ifdef RACY
      pthread_mutex_unlock(&lock);
    }
#else
    }
    pthread_mutex_unlock(&lock);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pushes = __VERIFIER_nondet_int();
  takes = __VERIFIER_nondet_int();
  __VERIFIER_assume(pushes >= 0 && pushes <= N && takes >= 0 && takes <= N);
  pthread_create(&a, 0, push, 0);
  pthread_create(&b, 0, pop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(top == pushes - pops && top >= 0);
  return 0;
}
