// EXPECT: assert=verified race=verified (a single-producer queue with C11 atomics)
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int head, tail; int buf[2];
void *prod(void *a) { (void)a;
  for (int i = 1; i <= 2; i++) {
    while (atomic_load_explicit(&tail, memory_order_relaxed) - atomic_load_explicit(&head, memory_order_acquire) == 2) ;
    int t = atomic_load(&tail);
    buf[t % 2] = i;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
  }
  return 0;
}
int main() {
  pthread_t id;
  pthread_create(&id, 0, prod, 0);
  for (int i = 1; i <= 2; i++) {
    while (atomic_load(&tail) == atomic_load(&head)) ;
    int h = atomic_load(&head);
    assert(buf[h % 2] == i);
    atomic_store(&head, h + 1);
  }
  pthread_join(id, 0);
  return 0;
}
