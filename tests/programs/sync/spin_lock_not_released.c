// EXPECT: assert=verified race=verified deadlock=violated twin=spin_lock (returns with the lock)
#include <assert.h>
#include <pthread.h>

int count;
pthread_spinlock_t l;

static void *add(void *arg) {
  pthread_spin_lock(&l);
  count = count + 1;
  if (count == 2) return arg;
  pthread_spin_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t1, 0, add, 0);
  pthread_create(&t2, 0, add, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_spin_lock(&l);
  assert(count == 2);
  return 0;
}
