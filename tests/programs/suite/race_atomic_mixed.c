// EXPECT: race=violated assert=verified twin=race_atomic_both (an atomic and a plain access)
#include <pthread.h>
#include <assert.h>
int x;
void *t(void *a) { (void)a; __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return 0; }
int main() {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  int v = x;
  assert(v == 0 || v == 1);
  pthread_join(id, 0);
  return 0;
}
