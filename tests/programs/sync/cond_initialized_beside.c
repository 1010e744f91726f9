// EXPECT: race=violated twin=cond_initialized_first (the condition variable is initialized beside its signal)
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;

static void *tell(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, tell, NULL);
  pthread_cond_init(&c, NULL);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
