// EXPECT: deadlock=violated twin=pipeline_stage_fixed (closing a stage wakes nobody)
// PATCH, written before the tool ran: in stage_close
//      stage->closed = true;
//   +  pthread_cond_broadcast(&stage->changed);
//      pthread_mutex_unlock(&stage->lock);
// Review: "who waits for an item has to hear that none will come: broadcast after closed = true."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define SLOTS 2
#define END (-1)

/* The channel in front of one stage of the pipeline. */
struct stage {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int slots[SLOTS];
  int first;
  int filled;
  bool closed;
};

struct pipeline {
  struct stage *square;
  int sum;
};

static struct stage *stage_open(void) {
  struct stage *stage = malloc(sizeof *stage);
  if (stage == NULL)
    abort();
  pthread_mutex_init(&stage->lock, NULL);
  pthread_cond_init(&stage->changed, NULL);
  stage->first = 0;
  stage->filled = 0;
  stage->closed = false;
  return stage;
}

static void stage_put(struct stage *stage, int item) {
  pthread_mutex_lock(&stage->lock);
  while (stage->filled == SLOTS)
    pthread_cond_wait(&stage->changed, &stage->lock);
  stage->slots[(stage->first + stage->filled) % SLOTS] = item;
  stage->filled++;
  pthread_cond_broadcast(&stage->changed);
  pthread_mutex_unlock(&stage->lock);
}

/* The next item, or END when the stage is closed and empty. */
static int stage_take(struct stage *stage) {
  int item = END;
  pthread_mutex_lock(&stage->lock);
  while (stage->filled == 0 && !stage->closed)
    pthread_cond_wait(&stage->changed, &stage->lock);
  if (stage->filled > 0) {
    item = stage->slots[stage->first];
    stage->first = (stage->first + 1) % SLOTS;
    stage->filled--;
    pthread_cond_broadcast(&stage->changed);
  }
  pthread_mutex_unlock(&stage->lock);
  return item;
}

static void stage_close(struct stage *stage) {
  pthread_mutex_lock(&stage->lock);
  stage->closed = true;
  pthread_mutex_unlock(&stage->lock);
}

static void stage_free(struct stage *stage) {
  pthread_cond_destroy(&stage->changed);
  pthread_mutex_destroy(&stage->lock);
  free(stage);
}

static void *square_main(void *argument) {
  struct pipeline *pipeline = argument;
  int item;
  while ((item = stage_take(pipeline->square)) != END)
    pipeline->sum += item * item;
  return NULL;
}

int main(void) {
  struct pipeline pipeline = {stage_open(), 0};
  pthread_t thread;
  pthread_create(&thread, NULL, square_main, &pipeline);
  stage_put(pipeline.square, 2);
  stage_put(pipeline.square, 3);
  stage_close(pipeline.square);
  pthread_join(thread, NULL);
  assert(pipeline.sum == 13);
  stage_free(pipeline.square);
  return 0;
}
