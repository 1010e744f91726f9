// EXPECT: deadlock=violated twin=job_pool_fixed (stopping wakes one worker, and two may wait)
// PATCH, written before the tool ran: in pool_stop
//   -  pthread_cond_signal(&pool->work);
//   +  pthread_cond_broadcast(&pool->work);
// Review: "stop concerns every worker: signal wakes only one of them, and the other one never sees `stop`."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
  void (*run)(void *);
  void *argument;
  struct job *next;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t work;
  struct job *head;
  struct job *tail;
  int queued;
  int stop;
  pthread_t workers[2];
};

static struct job *pool_take(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  while (p->head == NULL && !p->stop)
    pthread_cond_wait(&p->work, &p->lock);
  struct job *job = p->head;
  if (job != NULL) {
    p->head = job->next;
    if (p->head == NULL)
      p->tail = NULL;
    p->queued--;
  }
  pthread_mutex_unlock(&p->lock);
  return job;
}

static void *pool_worker(void *argument) {
  struct pool *p = argument;
  struct job *job;
  while ((job = pool_take(p)) != NULL) {
    job->run(job->argument);
    free(job);
  }
  return NULL;
}

struct pool *pool_create(void) {
  struct pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&pool->workers[i], NULL, pool_worker, pool);
  return pool;
}

int pool_submit(struct pool *pool, void (*run)(void *), void *argument) {
  struct job *job = malloc(sizeof *job);
  if (job == NULL)
    return -1;
  job->run = run;
  job->argument = argument;
  job->next = NULL;
  pthread_mutex_lock(&pool->lock);
  if (pool->tail != NULL)
    pool->tail->next = job;
  else
    pool->head = job;
  pool->tail = job;
  pool->queued++;
  pthread_cond_signal(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

void pool_stop(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stop = 1;
  pthread_cond_signal(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < 2; i++)
    pthread_join(pool->workers[i], NULL);
  assert(pool->queued == 0);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

static void count_up(void *argument) {
  (*(int *)argument)++;
}

int main(void) {
  int done = 0;
  struct pool *pool = pool_create();
  if (pool == NULL)
    return 1;
  pool_submit(pool, count_up, &done);
  pool_stop(pool);
  assert(done == 1);
  return 0;
}
