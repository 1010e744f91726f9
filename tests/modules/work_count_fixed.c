// EXPECT: assert=verified (work_count as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
  int cost;
  struct job *next;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t some;
  struct job *head;
  int closed;
};

struct group {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int pending;
  int spent;
  struct queue *queue;
};

static void queue_push(struct queue *queue, struct job *job) {
  pthread_mutex_lock(&queue->lock);
  job->next = queue->head;
  queue->head = job;
  pthread_cond_signal(&queue->some);
  pthread_mutex_unlock(&queue->lock);
}

static struct job *queue_pop(struct queue *queue) {
  struct job *job;
  pthread_mutex_lock(&queue->lock);
  while (queue->head == NULL && !queue->closed)
    pthread_cond_wait(&queue->some, &queue->lock);
  job = queue->head;
  if (job != NULL)
    queue->head = job->next;
  pthread_mutex_unlock(&queue->lock);
  return job;
}

static void queue_close(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->closed = 1;
  pthread_cond_broadcast(&queue->some);
  pthread_mutex_unlock(&queue->lock);
}

static void group_submit(struct group *group, struct job *job) {
  pthread_mutex_lock(&group->lock);
  group->pending++;
  pthread_mutex_unlock(&group->lock);
  queue_push(group->queue, job);
}

static void group_finish(struct group *group, const struct job *job) {
  pthread_mutex_lock(&group->lock);
  group->spent += job->cost;
  assert(group->pending > 0);
  if (--group->pending == 0)
    pthread_cond_broadcast(&group->done);
  pthread_mutex_unlock(&group->lock);
}

static int group_wait(struct group *group) {
  pthread_mutex_lock(&group->lock);
  while (group->pending > 0)
    pthread_cond_wait(&group->done, &group->lock);
  int spent = group->spent;
  pthread_mutex_unlock(&group->lock);
  return spent;
}

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
static struct group group = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, &queue};

static void *worker(void *arg) {
  struct job *job;
  while ((job = queue_pop(&queue)) != NULL) {
    group_finish(&group, job);
    free(job);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  int cost = 0;
  if (pthread_create(&thread, NULL, worker, NULL) != 0)
    return 0;
  for (int i = 1; i <= 2; i++) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
      break;
    job->cost = i;
    cost += i;
    group_submit(&group, job);
  }
  assert(group_wait(&group) == cost);
  queue_close(&queue);
  pthread_join(thread, NULL);
  return 0;
}
