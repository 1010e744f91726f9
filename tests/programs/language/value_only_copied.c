// EXPECT: uninitialized=verified memory=verified twin=value_never_written (what was never written is copied, and nothing depends on it)
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
  char tag;  // and padding behind it
  int kind, size;
};
static int done;

static void *run(void *argument) {
  struct job *job = argument, copy = *job;
  if (copy.kind != 1 && copy.size + 1 > 3) done = copy.tag;
  return 0;
}

int main(void) {
  struct job *job = malloc(sizeof *job);
  pthread_t t;
  if (!job) return 1;
  job->tag = 'x';
  job->kind = __VERIFIER_nondet_int();
  if (job->kind != 1) job->size = 4;
  if (pthread_create(&t, 0, run, job) != 0) return 1;
  pthread_join(t, 0);
  free(job);
  return 0;
}
