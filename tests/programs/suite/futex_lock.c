// EXPECT: assert=verified race=verified (a lock that sleeps on a counter of wake-ups)
#include <assert.h>
#include <pthread.h>
static unsigned lock, wakes;
static int inside;
static unsigned look(const unsigned *a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }
static unsigned swap(unsigned *a, unsigned v) { return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST); }
static unsigned swap_if(unsigned *a, unsigned seen, unsigned v) {
  (void)__atomic_compare_exchange_n(a, &seen, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return seen;
}
static void sleep_while(unsigned *a, unsigned v) {
  const unsigned seen = look(&wakes);
  if (look(a) != v) return;
  while (look(&wakes) == seen) {
  }
}
static void acquire(void) {
  unsigned v = swap_if(&lock, 0, 1);
  if (v == 1) v = swap(&lock, 2);
  while (v != 0) {
    sleep_while(&lock, 2);
    v = swap(&lock, 2);
  }
}
static void release(void) {
  if (swap(&lock, 0) == 2) __atomic_fetch_add(&wakes, 1, __ATOMIC_SEQ_CST);
}
static void *run(void *p) {
  acquire();
  inside++;
  assert(inside == 1);
  inside--;
  release();
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
