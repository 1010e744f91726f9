// EXPECT: assert=verified race=verified memory=verified (dropped by release, the last one acquires)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int count;
  int data[2];
};

static void drop(struct object *object) {
  if (atomic_fetch_sub_explicit(&object->count, 1, memory_order_release) != 1) return;
  atomic_thread_fence(memory_order_acquire);
  assert(object->data[0] == 1);
  free(object);
}

static void *user(void *arg) {
  struct object *object = arg;
  object->data[0] = 1;
  drop(object);
  return 0;
}

int main(void) {
  struct object *object = malloc(sizeof *object);
  if (!object) return 1;
  atomic_init(&object->count, 2);
  object->data[0] = object->data[1] = 0;
  pthread_t thread;
  pthread_create(&thread, 0, user, object);
  object->data[1] = 1;
  if (atomic_fetch_sub_explicit(&object->count, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    assert(object->data[0] == 1);
    free(object);
  }
  pthread_join(thread, 0);
  return 0;
}
