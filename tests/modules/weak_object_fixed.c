// EXPECT: memory=verified (weak_object as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int heddle_input_int(void);

struct object {
  atomic_int owners;
  int size;
  int *data;
};

struct registry {
  pthread_mutex_t lock;
  struct object *last;
  int made;
  int sum;
};

static struct registry registry = {PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0};

static struct object *object_new(int size, int first) {
  struct object *object = malloc(sizeof *object);
  if (object == NULL)
    abort();
  object->data = calloc((size_t)size, sizeof *object->data);
  if (object->data == NULL)
    abort();
  atomic_init(&object->owners, 1);
  object->size = size;
  object->data[0] = first;
  pthread_mutex_lock(&registry.lock);
  registry.last = object;
  registry.made++;
  pthread_mutex_unlock(&registry.lock);
  return object;
}

static struct object *object_get(struct object *object) {
  atomic_fetch_add(&object->owners, 1);
  return object;
}

static void object_put(struct object *object) {
  if (atomic_fetch_sub(&object->owners, 1) == 1) {
    free(object->data);
    free(object);
  }
}

static int object_first(const struct object *object) {
  return object->size > 0 ? object->data[0] : -1;
}

static void *worker(void *argument) {
  struct object *object = argument;
  const int first = object_first(object);
  object_put(object);
  pthread_mutex_lock(&registry.lock);
  registry.sum += first > 0 ? 1 : 0;
  pthread_mutex_unlock(&registry.lock);
  return NULL;
}

int main(void) {
  struct object *object = object_new(2, heddle_input_int());
  pthread_t thread;
  pthread_create(&thread, NULL, worker, object_get(object));
  const int first = object_first(object);
  object_put(object);
  pthread_join(thread, NULL);
  assert(registry.sum == (first > 0));
  return 0;
}
