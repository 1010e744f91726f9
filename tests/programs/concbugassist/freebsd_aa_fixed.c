// EXPECT: assert=verified (the twin of freebsd_aa.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int filled, updates;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  filled = filled + 1;
  int r = updates;
  updates = r + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int k = 0; k < 3; k++) pthread_create(&t[k], NULL, work, NULL);
  for (int k = 0; k < 3; k++) pthread_join(t[k], NULL);
  assert(updates == 3);
  return 0;
}
