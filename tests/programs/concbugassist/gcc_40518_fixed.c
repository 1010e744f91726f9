// EXPECT: assert=verified (the twin of gcc_40518.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int refs, length;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *erase(void *unused) {
  pthread_mutex_lock(&guard);
  refs = 0;
  length = 0;
  assert(refs == 0 && length == 0);
  refs = -1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, erase, NULL);
  pthread_create(&b, NULL, erase, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
