// EXPECT: race=verified assert=verified (main ends while the thread runs)
#include <pthread.h>
int myglobal;
pthread_mutex_t mutex1 = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  pthread_mutex_lock(&mutex1);
  myglobal = myglobal + 1;
  pthread_mutex_unlock(&mutex1);
  return NULL;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, t_fun, NULL);
  pthread_mutex_lock(&mutex1);
  myglobal = myglobal + 1;
  pthread_mutex_unlock(&mutex1);
  return 0;
}
