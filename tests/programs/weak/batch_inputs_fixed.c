// EXPECT: race=verified (the count is released after the elements, whatever the size of the batch)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

#define MOST 3

static int elements[MOST];
static atomic_int count;

static void *producer(void *arg) {
  int size = __VERIFIER_nondet_int();
  if (size < 0 || size > MOST) return arg;
  for (int i = 0; i < size; i++) elements[i] = size;
  atomic_store_explicit(&count, size, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  int size = atomic_load_explicit(&count, memory_order_acquire);
  for (int i = 0; i < size; i++) assert(elements[i] == size);
  pthread_join(thread, 0);
  return 0;
}
