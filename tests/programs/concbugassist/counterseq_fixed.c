// EXPECT: assert=verified (the twin of counterseq.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused) {
  pthread_mutex_lock(&guard);
  int r = counter;
  counter = r + 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
