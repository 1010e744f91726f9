// Two locks taken in opposite orders.
//
// Deadlock, unless GATE=1: then a third lock lets only one thread into the crossing.
#include <pthread.h>

#ifndef GATE
#define GATE 0
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#if GATE
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif
static int x;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
#if GATE
  pthread_mutex_lock(&gate);
#endif
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  x++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
#if GATE
  pthread_mutex_unlock(&gate);
#endif
}

static void *forwards(void *unused) {
  both(&a, &b);
  return unused;
}

static void *backwards(void *unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, forwards, NULL);
  pthread_create(&t, NULL, backwards, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
