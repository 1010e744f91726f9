// EXPECT: race=verified assert=verified twin=race_value_barrier_ok (an unlocked flag as a barrier)
#include <pthread.h>
#include <assert.h>
int g, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  pthread_mutex_lock(&m); g = 1; x = 8; pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t id; int v;
  pthread_create(&id, NULL, t_fun, NULL);
  while (1) { pthread_mutex_lock(&m); v = g; pthread_mutex_unlock(&m); if (v) break; }
  x = 3;
  assert(x == 3);
  g = 2;
  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
  pthread_join(id, NULL);
  int y; y = x; (void)y;
  return 0;
}
