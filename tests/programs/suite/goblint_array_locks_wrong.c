// EXPECT: race=violated twin=goblint_array_locks (the lock of another cell)
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
struct cache_entry { int refs; pthread_mutex_t refs_mutex; } cache[3];
void *t_fun(void *arg) { (void)arg;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&cache[i].refs_mutex);
    cache[i].refs++;
    pthread_mutex_unlock(&cache[i].refs_mutex);
  }
  return NULL;
}
int main() {
  for (int i = 0; i < 3; i++) pthread_mutex_init(&cache[i].refs_mutex, NULL);
  pthread_t t;
  pthread_create(&t, NULL, t_fun, NULL);
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 3 || j < 0 || j >= 3) return 0;
  pthread_mutex_lock(&cache[i].refs_mutex);
  cache[j].refs++;
  pthread_mutex_unlock(&cache[i].refs_mutex);
  pthread_join(t, 0);
  return 0;
}
