// EXPECT: race=verified (a lock for each cell)
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
struct cache_entry { int refs; pthread_mutex_t refs_mutex; } cache[3];
void cache_entry_addref(struct cache_entry *entry) {
  pthread_mutex_lock(&entry->refs_mutex);
  entry->refs++;
  pthread_mutex_unlock(&entry->refs_mutex);
}
void *t_fun(void *arg) { (void)arg;
  for (int i = 0; i < 3; i++) cache_entry_addref(&cache[i]);
  return NULL;
}
int main() {
  for (int i = 0; i < 3; i++) pthread_mutex_init(&cache[i].refs_mutex, NULL);
  pthread_t t;
  pthread_create(&t, NULL, t_fun, NULL);
  int k = __VERIFIER_nondet_int();
  if (k >= 0 && k < 3) cache_entry_addref(&cache[k]);
  pthread_join(t, 0);
  return 0;
}
