// EXPECT: assert=verified deadlock=verified (the next owner is told, and makes it consistent)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void *leaver(void *unused) {
  (void)unused;
  if (pthread_mutex_lock(&m) == EOWNERDEAD) pthread_mutex_consistent(&m);
  value = 1;
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, leaver, NULL);
  int first = pthread_mutex_lock(&m);
  if (first == EOWNERDEAD) {
    assert(value == 1);
    assert(pthread_mutex_consistent(&m) == 0);
  } else {
    assert(first == 0 && value == 0);
  }
  pthread_mutex_unlock(&m);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&m) == (first == 0 ? EOWNERDEAD : 0));
  return 0;
}
