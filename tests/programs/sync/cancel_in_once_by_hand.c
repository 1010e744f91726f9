// EXPECT: deadlock=violated twin=cancel_in_once (a thread that is cancelled in the routine leaves it to nobody)
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state;

static void routine(void) {
  pthread_testcancel();
}

static void runOnce(void) {
  pthread_mutex_lock(&m);
  if (state == 0) {
    state = 1;
    pthread_mutex_unlock(&m);
    routine();
    pthread_mutex_lock(&m);
    state = 2;
    pthread_cond_broadcast(&changed);
  }
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  while (state != 2) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
}

static void *first(void *unused) {
  runOnce();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_cancel(t);
  runOnce();
  pthread_join(t, NULL);
  return 0;
}
