// EXPECT: assert=verified misuse=verified (a mutex of this type tells that it is not held)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  assert(pthread_cond_wait(&c, &m) == EPERM);
  return 0;
}
