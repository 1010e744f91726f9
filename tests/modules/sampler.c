// EXPECT: memory=violated race=violated twin=sampler_fixed (the samples are freed before their thread is joined)
// PATCH, written before the tool ran: in sampler_close
//   +  pthread_join(sampler->thread, NULL);
//      const int sum = sampler_sum(sampler);
//      free(sampler->samples);
//   -  pthread_join(sampler->thread, NULL);
// Review: "join the thread first: it still writes to the samples while they are summed up and freed."
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define SAMPLES 3

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct sampler {
  int *samples;
  int count;
  int step;
  atomic_bool stop;
  pthread_t thread;
};

static int sampler_measure(const struct sampler *sampler, int number) {
  return sampler->step * (number + 1);
}

static void *sampler_main(void *argument) {
  struct sampler *sampler = argument;
  for (int i = 0; i < SAMPLES && !atomic_load(&sampler->stop); i++) {
    sampler->samples[i] = sampler_measure(sampler, i);
    sampler->count = i + 1;
  }
  return NULL;
}

static struct sampler *sampler_open(int step) {
  struct sampler *sampler = calloc(1, sizeof *sampler);
  if (sampler == NULL)
    abort();
  sampler->samples = calloc(SAMPLES, sizeof *sampler->samples);
  if (sampler->samples == NULL)
    abort();
  sampler->step = step;
  atomic_init(&sampler->stop, false);
  pthread_create(&sampler->thread, NULL, sampler_main, sampler);
  return sampler;
}

static int sampler_sum(const struct sampler *sampler) {
  int sum = 0;
  for (int i = 0; i < sampler->count; i++)
    sum += sampler->samples[i];
  return sum;
}

/* Returns the sum of what was sampled until now. */
static int sampler_close(struct sampler *sampler) {
  atomic_store(&sampler->stop, true);
  const int sum = sampler_sum(sampler);
  free(sampler->samples);
  pthread_join(sampler->thread, NULL);
  free(sampler);
  return sum;
}

int main(void) {
  const int step = __VERIFIER_nondet_int();
  __VERIFIER_assume(step >= 1 && step <= 2);
  struct sampler *sampler = sampler_open(step);
  const int sum = sampler_close(sampler);
  assert(sum >= 0 && sum <= 6 * step);
  return 0;
}
