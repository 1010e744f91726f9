// EXPECT: assert=verified (the twin of apache_21287.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int ref_count = 2, freed;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *release(void *unused) {
  pthread_mutex_lock(&guard);
  __atomic_sub_fetch(&ref_count, 1, __ATOMIC_SEQ_CST);
  if (ref_count == 0) freed = freed + 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, release, NULL);
  pthread_create(&b, NULL, release, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(freed == 1);
  return 0;
}
