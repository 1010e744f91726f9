// EXPECT: assert=violated deadlock=verified twin=robust_owner_dead (unlocked without being made consistent)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *leaver(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, leaver, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&m) == EOWNERDEAD);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_lock(&m) != ENOTRECOVERABLE);
  return 0;
}
