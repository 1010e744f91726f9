// EXPECT: uninitialized=violated twin=value_only_copied (on one way nobody gives it a value, and a condition depends on it)
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
  int kind, size;
};
static int done;

static void *run(void *argument) {
  struct job *job = argument;
  if (job->kind == 1 && job->size + 1 > 3) done = 1;
  return 0;
}

int main(void) {
  struct job *job = malloc(sizeof *job);
  pthread_t t;
  if (!job) return 1;
  job->kind = __VERIFIER_nondet_int();
  if (job->kind != 1) job->size = 4;
  if (pthread_create(&t, 0, run, job) != 0) return 1;
  pthread_join(t, 0);
  free(job);
  return 0;
}
