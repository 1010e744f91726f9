// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified
#include <assert.h>
#include <pthread.h>

int heddle_input_int(void);

static int n, x, seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *looks(void *unused) {
  pthread_mutex_lock(&m);
  seen = x;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *sets(void *unused) {
  while (heddle_input_int()) {
    pthread_mutex_lock(&m);
    if (x < 1) x = 1;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  n = heddle_input_int();
  pthread_t a, b;
  pthread_create(&a, 0, looks, 0);
  pthread_create(&b, 0, sets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen == 0 || seen == x);
  return 0;
}
