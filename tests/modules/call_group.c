// EXPECT: memory=violated twin=call_group_fixed (a call takes its reference in its own thread)
// PATCH, written before the tool ran: in group_call, and no more in call_main
//   +  group_get(group);
//      if (pthread_create(&call->thread, NULL, call_main, call) != 0) {
//   +    group_put(group);
//    and in call_main
//   -  group_get(group);
// Review: "until the new thread has run nothing holds the group for it: take the reference before
// pthread_create, in the thread that has one."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define CALLS 2

/* Calls that belong together; it goes with its last reference. */
struct group {
  pthread_mutex_t lock;
  int references;
  int running;
  int finished;
  int sum;
};

struct call {
  struct group *group;
  int argument;
  bool begun;
  pthread_t thread;
};

static struct group *group_new(void) {
  struct group *group = calloc(1, sizeof *group);
  if (group == NULL)
    abort();
  pthread_mutex_init(&group->lock, NULL);
  group->references = 1;
  return group;
}

static void group_get(struct group *group) {
  pthread_mutex_lock(&group->lock);
  group->references++;
  pthread_mutex_unlock(&group->lock);
}

static void group_put(struct group *group) {
  pthread_mutex_lock(&group->lock);
  const int left = --group->references;
  pthread_mutex_unlock(&group->lock);
  if (left > 0)
    return;
  pthread_mutex_destroy(&group->lock);
  free(group);
}

static void group_begin(struct group *group) {
  pthread_mutex_lock(&group->lock);
  group->running++;
  pthread_mutex_unlock(&group->lock);
}

static void group_end(struct group *group, int result) {
  pthread_mutex_lock(&group->lock);
  group->running--;
  group->finished++;
  group->sum += result;
  pthread_mutex_unlock(&group->lock);
}

/* The work of a call. */
static int call_work(int argument) {
  int result = 0;
  for (int i = 1; i <= argument; i++)
    result += i;
  return result;
}

static void *call_main(void *argument) {
  struct call *call = argument;
  struct group *group = call->group;
  group_get(group);
  group_begin(group);
  group_end(group, call_work(call->argument));
  group_put(group);
  return NULL;
}

/* Begins a call in a thread of its own. False where there is no thread for it. */
static bool group_call(struct group *group, struct call *call, int argument) {
  call->group = group;
  call->argument = argument;
  call->begun = pthread_create(&call->thread, NULL, call_main, call) == 0;
  return call->begun;
}

static void call_wait(struct call *call) {
  if (call->begun)
    pthread_join(call->thread, NULL);
  call->begun = false;
}

static int group_finished(struct group *group) {
  pthread_mutex_lock(&group->lock);
  const int finished = group->finished;
  pthread_mutex_unlock(&group->lock);
  return finished;
}

int main(void) {
  struct group *group = group_new();
  struct call call;
  group_call(group, &call, 2);
  const int finished = group_finished(group);
  group_put(group);
  call_wait(&call);
  assert(finished >= 0 && finished <= CALLS);
  return 0;
}
