// EXPECT: race=violated twin=actor_mailbox_fixed (the actor looks at its stop flag without the lock)
// PATCH, written before the tool ran: in actor_stopped
//   -  return actor->stopped;
//   +  pthread_mutex_lock(&actor->lock);
//   +  const bool stopped = actor->stopped;
//   +  pthread_mutex_unlock(&actor->lock);
//   +  return stopped;
// Review: "stopped is written under actor->lock and read here without it: test it with the lock held."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define LETTERS 2

struct actor {
  pthread_mutex_t lock;
  pthread_cond_t mail;
  int box[LETTERS];
  int letters;
  bool stopped;
  int state;
  pthread_t thread;
};

static void actor_handle(struct actor *actor, int letter) {
  actor->state = actor->state * 2 + letter;
}

static bool actor_stopped(struct actor *actor) {
  return actor->stopped;
}

static void *actor_main(void *argument) {
  struct actor *actor = argument;
  while (!actor_stopped(actor)) {
    pthread_mutex_lock(&actor->lock);
    while (actor->letters == 0 && !actor->stopped)
      pthread_cond_wait(&actor->mail, &actor->lock);
    if (actor->letters > 0) {
      actor->letters--;
      actor_handle(actor, actor->box[actor->letters]);
    }
    pthread_mutex_unlock(&actor->lock);
  }
  return NULL;
}

static struct actor *actor_start(void) {
  struct actor *actor = calloc(1, sizeof *actor);
  if (actor == NULL)
    abort();
  pthread_mutex_init(&actor->lock, NULL);
  pthread_cond_init(&actor->mail, NULL);
  pthread_create(&actor->thread, NULL, actor_main, actor);
  return actor;
}

/* False where the box is full. */
static bool actor_send(struct actor *actor, int letter) {
  pthread_mutex_lock(&actor->lock);
  const bool fits = actor->letters < LETTERS;
  if (fits) {
    actor->box[actor->letters] = letter;
    actor->letters++;
    pthread_cond_signal(&actor->mail);
  }
  pthread_mutex_unlock(&actor->lock);
  return fits;
}

/* Letters that are still in the box are thrown away. */
static int actor_stop(struct actor *actor) {
  pthread_mutex_lock(&actor->lock);
  actor->stopped = true;
  pthread_cond_signal(&actor->mail);
  pthread_mutex_unlock(&actor->lock);
  pthread_join(actor->thread, NULL);
  const int state = actor->state;
  pthread_cond_destroy(&actor->mail);
  pthread_mutex_destroy(&actor->lock);
  free(actor);
  return state;
}

int main(void) {
  struct actor *actor = actor_start();
  const bool sent = actor_send(actor, 1);
  assert(sent);
  const int state = actor_stop(actor);
  assert(state == 0 || state == 1);
  return 0;
}
