// EXPECT: race=verified assert=verified (ten threads, macros of the suite)
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int();
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
#define create_threads(t) pthread_t t##_ids[10000]; int t##_ids_count = __VERIFIER_nondet_int(); assume_abort_if_not(t##_ids_count > 0 && t##_ids_count <= 3); for (int i = 0; i < t##_ids_count; i++) pthread_create(&t##_ids[i], NULL, t##_fun, NULL)
#define join_threads(t) for (int i = 0; i < t##_ids_count; i++) pthread_join(t##_ids[i], NULL)
int global = 0;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *arg) { (void)arg;
  pthread_mutex_lock(&mutex);
  assert(global == 0); global++; assert(global == 1); global--; 
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  create_threads(t);
  pthread_mutex_lock(&mutex);
  assert(global == 0);
  pthread_mutex_unlock(&mutex);
  join_threads(t);
  return 0;
}
