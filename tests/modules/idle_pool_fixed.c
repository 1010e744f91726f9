// EXPECT: assert=verified (idle_pool as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct job {
  void (*run)(void*);
  void* arg;
  struct job* next;
};
struct pool {
  pthread_mutex_t lock;
  pthread_cond_t some, idle;
  struct job *head, *tail;
  int queued, running, stop;
  pthread_t workers[2];
};
static int done_count, total;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static void* worker(void* p) {
  struct pool* pool = p;
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    while (!pool->head && !pool->stop) pthread_cond_wait(&pool->some, &pool->lock);
    if (!pool->head) {
      pthread_mutex_unlock(&pool->lock);
      return 0;
    }
    struct job* job = pool->head;
    pool->head = job->next;
    if (!pool->head) pool->tail = 0;
    pool->queued--;
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    job->run(job->arg);
    free(job);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    if (!pool->head && !pool->running) pthread_cond_broadcast(&pool->idle);
    pthread_mutex_unlock(&pool->lock);
  }
}
static int pool_init(struct pool* pool) {
  pthread_mutex_init(&pool->lock, 0);
  pthread_cond_init(&pool->some, 0);
  pthread_cond_init(&pool->idle, 0);
  pool->head = pool->tail = 0;
  pool->queued = pool->running = pool->stop = 0;
  for (int i = 0; i < 2; i++)
    if (pthread_create(&pool->workers[i], 0, worker, pool)) return -1;
  return 0;
}
static int pool_add(struct pool* pool, void (*run)(void*), void* arg) {
  struct job* job = malloc(sizeof *job);
  if (!job) return -1;
  job->run = run;
  job->arg = arg;
  job->next = 0;
  pthread_mutex_lock(&pool->lock);
  if (pool->tail)
    pool->tail->next = job;
  else
    pool->head = job;
  pool->tail = job;
  pool->queued++;
  pthread_cond_signal(&pool->some);
  pthread_mutex_unlock(&pool->lock);
  return 0;
}
static void pool_wait(struct pool* pool) {
  pthread_mutex_lock(&pool->lock);
  while (pool->head || pool->running) pthread_cond_wait(&pool->idle, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
static void pool_destroy(struct pool* pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stop = 1;
  pthread_cond_broadcast(&pool->some);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < 2; i++) pthread_join(pool->workers[i], 0);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->some);
  pthread_cond_destroy(&pool->idle);
}
static void add(void* p) {
  pthread_mutex_lock(&total_lock);
  total += *(int*)p;
  done_count++;
  pthread_mutex_unlock(&total_lock);
}
int main(void) {
  struct pool pool;
  int values[3], n = __VERIFIER_nondet_int(), expect = 0, added = 0;
  __VERIFIER_assume(n >= 0 && n <= 3);
  if (pool_init(&pool)) return 1;
  for (int i = 0; i < n; i++) {
    values[i] = i + 1;
    if (!pool_add(&pool, add, &values[i])) {
      expect += values[i];
      added++;
    }
  }
  pool_wait(&pool);
  assert(done_count == added && total == expect);
  pool_destroy(&pool);
  return 0;
}
