// EXPECT: assert=verified race=verified deadlock=verified (Craig's, Landin's and Hagersten's queue lock)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  atomic_int taken;
};

static struct node nodes[3];  // the last one is free at first
static struct node *_Atomic tail = &nodes[2];
static int counter;

static void *worker(void *arg) {
  struct node *mine = arg;
  atomic_store_explicit(&mine->taken, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  while (atomic_load_explicit(&before->taken, memory_order_acquire)) {
  }
  counter++;
  atomic_store_explicit(&mine->taken, 0, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, &nodes[0]);
  worker(&nodes[1]);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
