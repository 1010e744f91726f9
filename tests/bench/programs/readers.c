// readers(T), known from the literature on partial order reduction: one thread publishes a value, T others look once.
//
// No bug. Each reader sees the value or not: 2^T executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 8
#endif

static int data;
static atomic_int ready;

static void *look(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 42);
  return unused;
}

static void *publish(void *unused) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t writer, threads[T];
  pthread_create(&writer, NULL, publish, NULL);
  for (int i = 0; i < T; i++) pthread_create(&threads[i], NULL, look, NULL);
  for (int i = 0; i < T; i++) pthread_join(threads[i], NULL);
  pthread_join(writer, NULL);
  return 0;
}
