// EXPECT: assert=verified race=verified (threads created recursively)
#include <pthread.h>
#include <assert.h>
int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *node(void *a) {
  long d = (long)a;
  if (d > 0) { pthread_t l, r; pthread_create(&l, 0, node, (void *)(d - 1)); pthread_create(&r, 0, node, (void *)(d - 1)); pthread_join(l, 0); pthread_join(r, 0); }
  pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m);
  return 0;
}
int main() { node((void *)1); assert(total == 3); return 0; }
