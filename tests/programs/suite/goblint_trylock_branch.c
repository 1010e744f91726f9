// EXPECT: race=verified misuse=verified (only when the lock was taken)
#include <pthread.h>
int g;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  int status = pthread_mutex_trylock(&m);
  if (!status) { g++; pthread_mutex_unlock(&m); }
  return NULL;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, t_fun, NULL);
  pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  return 0;
}
