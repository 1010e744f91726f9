// EXPECT: race=verified memory=verified (a local escapes through a global, under a lock)
#include <pthread.h>
#include <unistd.h>
int *g;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { int *p = (int *)arg; pthread_mutex_lock(&m); (*p)++; pthread_mutex_unlock(&m); return NULL; }
void *t2_fun(void *arg) { (void)arg; pthread_mutex_lock(&m); if (g) *g = 4; pthread_mutex_unlock(&m); return NULL; }
int main(void) {
  pthread_t a, b; int i = 0;
  g = &i;
  pthread_create(&a, NULL, t_fun, (void *)&i);
  pthread_create(&b, NULL, t2_fun, NULL);
  sleep(1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return i > 10;
}
