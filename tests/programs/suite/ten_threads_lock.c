// EXPECT: race=verified assert=verified (ten threads, one lock)
#include <pthread.h>
#include <assert.h>
int g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *a) { (void)a; pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t ids[10];
  for (int i = 0; i < 10; i++) pthread_create(&ids[i], 0, t_fun, 0);
  for (int i = 0; i < 10; i++) pthread_join(ids[i], 0);
  assert(g == 10);
  return 0;
}
