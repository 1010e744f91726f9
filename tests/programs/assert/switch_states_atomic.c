// EXPECT: assert=verified (looked at and changed in one step)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum state { IDLE, RUNNING, STOPPED };

static atomic_int state = IDLE;

static void *runner(void *unused) {
  int seen = IDLE;
  atomic_compare_exchange_strong(&state, &seen, RUNNING);
  switch (seen) {
    case IDLE:
      break;
    case RUNNING:
      assert(0);
      break;
    case STOPPED:
      return unused;
  }
  assert(state != IDLE);
  return unused;
}

static void *stopper(void *unused) {
  state = STOPPED;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, runner, NULL);
  pthread_create(&b, NULL, stopper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
