// EXPECT: assert=verified (the twin of barrier.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *arrive(void *unused) {
  pthread_mutex_lock(&m);
  n = n + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int k = 0; k < 3; k++) pthread_create(&t[k], NULL, arrive, NULL);
  for (int k = 0; k < 3; k++) pthread_join(t[k], NULL);
  assert(n == 3);
  return 0;
}
