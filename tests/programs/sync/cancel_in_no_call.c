// EXPECT: assert=verified (a thread may ask to be cancelled anywhere where nothing that runs cancels one)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

void stop(pthread_t thread);

static void *worker(void *unused) {
  (void)unused;
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

void stop(pthread_t thread) {
  pthread_cancel(thread);
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, worker, NULL);
  pthread_create(&two, NULL, worker, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(count == 2);
  return 0;
}
