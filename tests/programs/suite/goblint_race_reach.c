// EXPECT: assert=violated twin=goblint_race_reach_one_lock (a race made visible by an assertion)
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
int global;
#define access(x) do { x = 0; x = 1; assert(x == 1); } while (0)
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  pthread_mutex_lock(&m1); access(global); pthread_mutex_unlock(&m1);
  return NULL;
}
int main(void) {
  pthread_t id[2];
  for (int i = 0; i < 2; i++) pthread_create(&id[i], NULL, t_fun, NULL);
  pthread_mutex_lock(&m2); access(global); pthread_mutex_unlock(&m2);
  for (int i = 0; i < 2; i++) pthread_join(id[i], NULL);
  return 0;
}
