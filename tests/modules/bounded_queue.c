// EXPECT: assert=violated twin=bounded_queue_fixed (the predicate of a wait is tested once)
// PATCH, written before the tool ran: in queue_take
//   -  if (queue->count == 0)
//   +  while (queue->count == 0)
// Review: "another consumer may take the item between the signal and this thread's return from the wait; test
// `count` again."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int heddle_input_int(void);

#define CAPACITY 2

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t not_empty;
  pthread_cond_t not_full;
  int items[CAPACITY];
  unsigned first;
  int count;
};

static struct queue *queue_new(void) {
  struct queue *queue = malloc(sizeof *queue);
  if (queue == NULL)
    abort();
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->not_empty, NULL);
  pthread_cond_init(&queue->not_full, NULL);
  queue->first = 0;
  queue->count = 0;
  return queue;
}

static void queue_free(struct queue *queue) {
  pthread_cond_destroy(&queue->not_full);
  pthread_cond_destroy(&queue->not_empty);
  pthread_mutex_destroy(&queue->mutex);
  free(queue);
}

static void queue_put(struct queue *queue, int item) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == CAPACITY)
    pthread_cond_wait(&queue->not_full, &queue->mutex);
  queue->items[(queue->first + (unsigned)queue->count) % CAPACITY] = item;
  queue->count++;
  pthread_cond_signal(&queue->not_empty);
  pthread_mutex_unlock(&queue->mutex);
}

static int queue_take(struct queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  if (queue->count == 0)
    pthread_cond_wait(&queue->not_empty, &queue->mutex);
  assert(queue->count > 0);
  const int item = queue->items[queue->first];
  queue->first = (queue->first + 1) % CAPACITY;
  queue->count--;
  pthread_cond_signal(&queue->not_full);
  pthread_mutex_unlock(&queue->mutex);
  return item;
}

struct consumer {
  struct queue *queue;
  int taken;
};

static void *consume(void *argument) {
  struct consumer *self = argument;
  self->taken = queue_take(self->queue);
  return NULL;
}

int main(void) {
  const int price = heddle_input_int();
  struct queue *queue = queue_new();
  struct consumer consumers[2] = {{queue, 0}, {queue, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, consume, &consumers[i]);
  queue_put(queue, price);
  queue_put(queue, 7);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(consumers[0].taken == 7 || consumers[1].taken == 7);
  queue_free(queue);
  return 0;
}
