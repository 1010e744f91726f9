// EXPECT: memory=violated twin=wheel_timer_fixed (timer_cancel returns while the callback of the timer still runs)
// PATCH, written before the tool ran: in timer_cancel, before the unlock
//   +  while (wheel->firing == timer)
//   +    pthread_cond_wait(&wheel->idle, &wheel->lock);
// Review: "a timer that is firing is not in the list any more: wait for wheel->idle until it is not this one."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct timer {
  void (*fire)(void *);
  void *arg;
  struct timer *next;
};

struct wheel {
  pthread_mutex_t lock;
  pthread_cond_t idle;
  struct timer *armed;
  struct timer *firing;
  int fired;
};

static void wheel_init(struct wheel *wheel) {
  pthread_mutex_init(&wheel->lock, NULL);
  pthread_cond_init(&wheel->idle, NULL);
  wheel->armed = NULL;
  wheel->firing = NULL;
  wheel->fired = 0;
}

static void timer_arm(struct wheel *wheel, struct timer *timer) {
  pthread_mutex_lock(&wheel->lock);
  timer->next = wheel->armed;
  wheel->armed = timer;
  pthread_mutex_unlock(&wheel->lock);
}

/* Takes the timer out; when it returns, the callback does not run any more. */
static void timer_cancel(struct wheel *wheel, struct timer *timer) {
  pthread_mutex_lock(&wheel->lock);
  for (struct timer **at = &wheel->armed; *at != NULL; at = &(*at)->next)
    if (*at == timer) {
      *at = timer->next;
      break;
    }
  pthread_mutex_unlock(&wheel->lock);
}

static void wheel_turn(struct wheel *wheel) {
  pthread_mutex_lock(&wheel->lock);
  while (wheel->armed != NULL) {
    struct timer *timer = wheel->armed;
    wheel->armed = timer->next;
    wheel->firing = timer;
    pthread_mutex_unlock(&wheel->lock);
    timer->fire(timer->arg);
    pthread_mutex_lock(&wheel->lock);
    wheel->firing = NULL;
    wheel->fired++;
    pthread_cond_broadcast(&wheel->idle);
  }
  pthread_mutex_unlock(&wheel->lock);
}

struct session {
  pthread_mutex_t lock;
  int expired;
};

static void session_expire(void *arg) {
  struct session *session = arg;
  pthread_mutex_lock(&session->lock);
  session->expired = 1;
  pthread_mutex_unlock(&session->lock);
}

static void *turner(void *arg) {
  wheel_turn(arg);
  return NULL;
}

int main(void) {
  static struct wheel wheel;
  struct timer timer;
  pthread_t thread;
  struct session *session = malloc(sizeof *session);
  if (session == NULL)
    return 0;
  pthread_mutex_init(&session->lock, NULL);
  session->expired = 0;
  wheel_init(&wheel);
  timer.fire = session_expire;
  timer.arg = session;
  timer_arm(&wheel, &timer);
  if (pthread_create(&thread, NULL, turner, &wheel) != 0)
    return 0;
  timer_cancel(&wheel, &timer);
  pthread_mutex_destroy(&session->lock);
  free(session);
  pthread_join(thread, NULL);
  assert(wheel.firing == NULL);
  return 0;
}
