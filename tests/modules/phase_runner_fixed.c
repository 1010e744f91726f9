// EXPECT: deadlock=verified (phase_runner as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 2
#define CELLS 2

struct runner {
  pthread_barrier_t phase;
  int now[CELLS];
  int next[CELLS];
};

struct worker {
  struct runner *runner;
  int number;
};

static struct runner *runner_new(int first, int second) {
  struct runner *runner = malloc(sizeof *runner);
  if (runner == NULL)
    abort();
  pthread_barrier_init(&runner->phase, NULL, WORKERS);
  runner->now[0] = first;
  runner->now[1] = second;
  runner->next[0] = 0;
  runner->next[1] = 0;
  return runner;
}

static void runner_free(struct runner *runner) {
  pthread_barrier_destroy(&runner->phase);
  free(runner);
}

/* The mean of the cell and its neighbour. */
static int runner_mean(const struct runner *runner, int cell) {
  return (runner->now[cell] + runner->now[(cell + 1) % CELLS]) / 2;
}

static void runner_compute(struct runner *runner, int cell) {
  runner->next[cell] = runner_mean(runner, cell);
  pthread_barrier_wait(&runner->phase);
  runner->now[cell] = runner->next[cell];
}

static int runner_sum(const struct runner *runner) {
  int sum = 0;
  for (int i = 0; i < CELLS; i++)
    sum += runner->now[i];
  return sum;
}

static void *worker_main(void *argument) {
  const struct worker *worker = argument;
  runner_compute(worker->runner, worker->number);
  return NULL;
}

int main(void) {
  struct runner *runner = runner_new(2, 4);
  struct worker workers[WORKERS];
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    workers[i].runner = runner;
    workers[i].number = i;
    pthread_create(&threads[i], NULL, worker_main, &workers[i]);
  }
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  assert(runner_sum(runner) == 6);
  runner_free(runner);
  return 0;
}
