// EXPECT: assert=violated twin=switch_states_atomic (a stop between the two looks at the state)
#include <assert.h>
#include <pthread.h>

enum state { IDLE, RUNNING, STOPPED };

static enum state state = IDLE;

static void *runner(void *unused) {
  switch (state) {
    case IDLE:
      state = RUNNING;
      break;
    case RUNNING:
      assert(0);
      break;
    case STOPPED:
      return unused;
  }
  assert(state == RUNNING);
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
