// EXPECT: race=verified assert=verified deadlock=verified (a locked flag orders the accesses)
#include <pthread.h>
#include <assert.h>
int g, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  x = 8;
  pthread_mutex_lock(&m); g = 1; pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t id; int v;
  pthread_create(&id, NULL, t_fun, NULL);
  do { pthread_mutex_lock(&m); v = g; pthread_mutex_unlock(&m); } while (!v);
  x = 3;
  assert(x == 3);
  return 0;
}
