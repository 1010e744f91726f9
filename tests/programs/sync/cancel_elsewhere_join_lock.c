// EXPECT: deadlock=violated twin=cancel_elsewhere_join (one waits for the end of a thread that waits for its lock; a third was cancelled)
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *idle(void *unused) {
  pause();
  return unused;
}

int main(void) {
  pthread_t thread, third;
  pthread_create(&third, NULL, idle, NULL);
  pthread_cancel(third);
  pthread_join(third, NULL);
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&m);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&m);
  return 0;
}
