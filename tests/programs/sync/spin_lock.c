// EXPECT: assert=verified race=verified deadlock=verified (one at a time)
#include <assert.h>
#include <pthread.h>

int count;
pthread_spinlock_t l;

static void *add(void *arg) {
  pthread_spin_lock(&l);
  count = count + 1;
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
  assert(count == 2);
  pthread_spin_destroy(&l);
  return 0;
}
