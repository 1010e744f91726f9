// EXPECT: assert=verified race=verified misuse=verified uninitialized=verified twin=heap_mutex_unset
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t *lock;
  int length;
};

static void *push(void *arg) {
  struct queue *q = arg;
  pthread_mutex_lock(q->lock);
  q->length++;
  pthread_mutex_unlock(q->lock);
  return 0;
}

int main(void) {
  struct queue q = {malloc(sizeof(pthread_mutex_t)), 0};
  if (!q.lock) return 1;
  *q.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_t t;
  pthread_create(&t, 0, push, &q);
  push(&q);
  pthread_join(t, 0);
  free(q.lock);
  return 0;
}
