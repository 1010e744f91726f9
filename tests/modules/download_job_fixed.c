// EXPECT: race=verified (download_job as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST 64

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct job {
  int asked;
  int size;
  _Atomic bool done;
  pthread_t thread;
};

static int job_fetch(const struct job *job) {
  return job->asked > MOST ? MOST : job->asked;
}

static void *job_main(void *argument) {
  struct job *job = argument;
  job->size = job_fetch(job);
  job->done = true;
  return NULL;
}

static struct job *job_start(int asked) {
  struct job *job = malloc(sizeof *job);
  if (job == NULL)
    abort();
  job->asked = asked;
  job->size = 0;
  job->done = false;
  pthread_create(&job->thread, NULL, job_main, job);
  return job;
}

/* The size, or -1 while it is not known. */
static int job_poll(const struct job *job) {
  return job->done ? job->size : -1;
}

static int job_wait(struct job *job) {
  int size;
  while ((size = job_poll(job)) < 0)
    sched_yield();
  return size;
}

static void job_end(struct job *job) {
  pthread_join(job->thread, NULL);
  free(job);
}

int main(void) {
  const int asked = __VERIFIER_nondet_int();
  __VERIFIER_assume(asked >= 1 && asked <= 100);
  struct job *job = job_start(asked);
  const int size = job_wait(job);
  assert(size == (asked > MOST ? MOST : asked));
  job_end(job);
  return 0;
}
