// EXPECT: race=violated deadlock=violated twin=event_loop_fixed (loop_stop sets its flag and signals without the lock)
// PATCH, written before the tool ran: in loop_stop
//   +  pthread_mutex_lock(&loop->lock);
//      loop->stopping = 1;
//      pthread_cond_signal(&loop->wake);
//   +  pthread_mutex_unlock(&loop->lock);
// Review: "hold loop->lock in loop_stop: between the test of `stopping` and the wait the signal is lost."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

struct event {
  int kind;
  int payload;
  struct event *next;
};

struct loop {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct event *first;
  struct event **last;
  int stopping;
  int handled[3];
};

static void loop_init(struct loop *loop) {
  pthread_mutex_init(&loop->lock, NULL);
  pthread_cond_init(&loop->wake, NULL);
  loop->first = NULL;
  loop->last = &loop->first;
  loop->stopping = 0;
  for (int i = 0; i < 3; i++)
    loop->handled[i] = 0;
}

static int loop_post(struct loop *loop, int kind, int payload) {
  struct event *event = malloc(sizeof *event);
  if (event == NULL)
    return -1;
  event->kind = kind;
  event->payload = payload;
  event->next = NULL;
  pthread_mutex_lock(&loop->lock);
  *loop->last = event;
  loop->last = &event->next;
  pthread_cond_signal(&loop->wake);
  pthread_mutex_unlock(&loop->lock);
  return 0;
}

static struct event *loop_next(struct loop *loop) {
  struct event *event;
  pthread_mutex_lock(&loop->lock);
  while (loop->first == NULL && !loop->stopping)
    pthread_cond_wait(&loop->wake, &loop->lock);
  event = loop->first;
  if (event != NULL) {
    loop->first = event->next;
    if (loop->first == NULL)
      loop->last = &loop->first;
  }
  pthread_mutex_unlock(&loop->lock);
  return event;
}

static void *loop_run(void *arg) {
  struct loop *loop = arg;
  struct event *event;
  while ((event = loop_next(loop)) != NULL) {
    switch (event->kind) {
    case 0:
    case 1:
      loop->handled[event->kind] += event->payload;
      break;
    default:
      loop->handled[2]++;
    }
    free(event);
  }
  return NULL;
}

/* Lets the loop end once its queue is empty. */
static void loop_stop(struct loop *loop) {
  loop->stopping = 1;
  pthread_cond_signal(&loop->wake);
}

static void loop_destroy(struct loop *loop) {
  assert(loop->first == NULL);
  pthread_cond_destroy(&loop->wake);
  pthread_mutex_destroy(&loop->lock);
}

int main(void) {
  struct loop loop;
  pthread_t runner;
  int kind = __VERIFIER_nondet_int();
  __VERIFIER_assume(kind >= 0 && kind < 4);
  loop_init(&loop);
  if (pthread_create(&runner, NULL, loop_run, &loop) != 0)
    return 0;
  int posted = loop_post(&loop, kind, 7) == 0;
  loop_stop(&loop);
  pthread_join(runner, NULL);
  if (posted)
    assert(loop.handled[kind < 2 ? kind : 2] == (kind < 2 ? 7 : 1));
  loop_destroy(&loop);
  return 0;
}
