// EXPECT: race=violated (the new version is published relaxed)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
  int first, second;
};

static struct version *_Atomic current;
static atomic_int inside;

static struct version *made(int value) {
  struct version *version = malloc(sizeof *version);
  if (!version) exit(1);
  version->first = version->second = value;
  return version;
}

static void *reader(void *arg) {
  atomic_store_explicit(&inside, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  struct version *seen = atomic_load_explicit(&current, memory_order_acquire);
  assert(seen->first == seen->second);
  atomic_store_explicit(&inside, 0, memory_order_release);
  return arg;
}

int main(void) {
  atomic_init(&current, made(1));
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  struct version *old = atomic_load_explicit(&current, memory_order_relaxed);
  atomic_store_explicit(&current, made(2), memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&inside, memory_order_acquire)) {
  }
  free(old);
  pthread_join(thread, 0);
  free(atomic_load_explicit(&current, memory_order_relaxed));
  return 0;
}
