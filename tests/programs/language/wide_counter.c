// EXPECT: assert=violated race=violated twin=wide_counter_locked (128 bits are written in two steps)
#include <assert.h>
#include <pthread.h>

static unsigned __int128 total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  (void)lock;
  total += (unsigned __int128)1 << 64;

  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert((int)(total >> 64) == 2);
  return 0;
}
