// EXPECT: assert=verified (work_stealing as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define TASKS 4
#define NONE (-1)

struct deque {
  atomic_int top;
  atomic_int bottom;
  int tasks[TASKS];
};

static struct deque *deque_new(void) {
  struct deque *deque = malloc(sizeof *deque);
  if (deque == NULL)
    abort();
  atomic_init(&deque->top, 0);
  atomic_init(&deque->bottom, 0);
  return deque;
}

/* By the owner only, before others are told of the deque. */
static void deque_push(struct deque *deque, int task) {
  const int bottom = atomic_load(&deque->bottom);
  deque->tasks[bottom % TASKS] = task;
  atomic_store(&deque->bottom, bottom + 1);
}

/* By the owner only. */
static int deque_pop(struct deque *deque) {
  const int bottom = atomic_load(&deque->bottom) - 1;
  atomic_store(&deque->bottom, bottom);
  int top = atomic_load(&deque->top);
  if (top > bottom) {
    atomic_store(&deque->bottom, top);
    return NONE;
  }
  const int task = deque->tasks[bottom % TASKS];
  if (top < bottom)
    return task;
  const int last = top;
  const _Bool won = atomic_compare_exchange_strong(&deque->top, &top, top + 1);
  atomic_store(&deque->bottom, last + 1);
  return won ? task : NONE;
}

/* By anybody. */
static int deque_steal(struct deque *deque) {
  int top = atomic_load(&deque->top);
  const int bottom = atomic_load(&deque->bottom);
  if (top >= bottom)
    return NONE;
  const int task = deque->tasks[top % TASKS];
  return atomic_compare_exchange_strong(&deque->top, &top, top + 1) ? task : NONE;
}

struct run {
  struct deque *deque;
  atomic_int done[2];
};

static void perform(struct run *run, int task) {
  if (task == NONE)
    return;
  const int before = atomic_fetch_add(&run->done[task], 1);
  assert(before == 0);
}

static void *thief(void *argument) {
  struct run *run = argument;
  perform(run, deque_steal(run->deque));
  return NULL;
}

int main(void) {
  struct run run = {.deque = deque_new()};
  pthread_t thread;
  deque_push(run.deque, 0);
  deque_push(run.deque, 1);
  pthread_create(&thread, NULL, thief, &run);
  for (int i = 0; i < 2; i++)
    perform(&run, deque_pop(run.deque));
  pthread_join(thread, NULL);
  free(run.deque);
  return 0;
}
