// EXPECT: assert=violated race=violated twin=timer_list_fixed (cancel returns while the callback of the timer is still running)
// PATCH, written before the tool ran: in timer_cancel
//        }
//   +    while (tl->firing == t)
//   +        pthread_cond_wait(&tl->fired, &tl->lock);
//        pthread_mutex_unlock(&tl->lock);
// Review: "Not queued does not mean over: a timer that is firing has to be waited for, otherwise the session is freed under its own callback."
/*
 * timer_list: one-shot timers on a sorted list, fired by one thread.
 *
 * Time is a tick count moved on by its owner.  Timers are embedded in the
 * caller's objects: once timer_cancel() has returned, the timer's callback
 * is not running and will not run, so the object may be freed.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct timer {
    unsigned when;
    void (*fire)(void *ctx);
    void *ctx;
    bool queued;
    struct timer *next;
};

struct timer_list {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_cond_t fired;
    struct timer *head;
    struct timer *firing;
    unsigned now;
    bool stopping;
    pthread_t thread;
};

static struct timer *pop_due(struct timer_list *tl)
{
    struct timer *t = tl->head;

    if (t == NULL || t->when > tl->now)
        return NULL;
    tl->head = t->next;
    t->next = NULL;
    t->queued = false;
    return t;
}

static void *firing_main(void *arg)
{
    struct timer_list *tl = arg;

    pthread_mutex_lock(&tl->lock);
    while (!tl->stopping) {
        struct timer *t = pop_due(tl);

        if (t == NULL) {
            pthread_cond_wait(&tl->changed, &tl->lock);
            continue;
        }
        tl->firing = t;
        pthread_mutex_unlock(&tl->lock);

        t->fire(t->ctx);

        pthread_mutex_lock(&tl->lock);
        tl->firing = NULL;
        pthread_cond_broadcast(&tl->fired);
    }
    pthread_mutex_unlock(&tl->lock);
    return NULL;
}

static void timer_arm(struct timer_list *tl, struct timer *t, unsigned delay,
                      void (*fire)(void *ctx), void *ctx)
{
    struct timer **link = &tl->head;

    t->fire = fire;
    t->ctx = ctx;

    pthread_mutex_lock(&tl->lock);
    t->when = tl->now + delay;
    while (*link != NULL && (*link)->when <= t->when)
        link = &(*link)->next;
    t->next = *link;
    t->queued = true;
    *link = t;
    if (tl->head == t)
        pthread_cond_signal(&tl->changed);
    pthread_mutex_unlock(&tl->lock);
}

/* True when the timer was taken off before it fired. */
static bool timer_cancel(struct timer_list *tl, struct timer *t)
{
    bool taken_off = false;

    pthread_mutex_lock(&tl->lock);
    if (t->queued) {
        struct timer **link = &tl->head;
        while (*link != t)
            link = &(*link)->next;
        *link = t->next;
        t->queued = false;
        taken_off = true;
    }
    pthread_mutex_unlock(&tl->lock);
    return taken_off;
}

static void timers_tick(struct timer_list *tl)
{
    pthread_mutex_lock(&tl->lock);
    tl->now++;
    pthread_cond_signal(&tl->changed);
    pthread_mutex_unlock(&tl->lock);
}

static int timers_start(struct timer_list *tl)
{
    tl->head = NULL;
    tl->firing = NULL;
    tl->now = 0;
    tl->stopping = false;
    if (pthread_mutex_init(&tl->lock, NULL) != 0 ||
        pthread_cond_init(&tl->changed, NULL) != 0 ||
        pthread_cond_init(&tl->fired, NULL) != 0)
        abort();
    return pthread_create(&tl->thread, NULL, firing_main, tl);
}

static void timers_stop(struct timer_list *tl)
{
    pthread_mutex_lock(&tl->lock);
    tl->stopping = true;
    pthread_cond_signal(&tl->changed);
    pthread_mutex_unlock(&tl->lock);
    pthread_join(tl->thread, NULL);

    assert(tl->head == NULL && tl->firing == NULL);
    pthread_cond_destroy(&tl->fired);
    pthread_cond_destroy(&tl->changed);
    pthread_mutex_destroy(&tl->lock);
}

/* Driver: sessions with an idle timeout; main is a session and the clock. */

struct session {
    struct timer idle;
    bool expired;
    unsigned warnings;
};

static struct timer_list timers;
static unsigned client_delay;

static void session_expire(void *ctx)
{
    struct session *s = ctx;

    s->expired = true;
    s->warnings++;
}

static struct session *session_open(unsigned delay)
{
    struct session *s = malloc(sizeof(*s));

    if (s == NULL)
        return NULL;
    s->expired = false;
    s->warnings = 0;
    timer_arm(&timers, &s->idle, delay, session_expire, s);
    return s;
}

static bool session_close(struct session *s)
{
    bool in_time = timer_cancel(&timers, &s->idle);

    assert(in_time == !s->expired);
    assert(s->warnings == (in_time ? 0u : 1u));
    free(s);
    return in_time;
}

static void *client_main(void *arg)
{
    struct session *s = session_open(client_delay);

    (void)arg;
    if (s != NULL)
        session_close(s);
    return NULL;
}

int main(void)
{
    struct session *s;
    pthread_t client;
    int ticks = heddle_input_int();
    int delay = heddle_input_int();

    heddle_assume(ticks >= 0 && ticks <= 2);
    heddle_assume(delay >= 0 && delay <= 2);
    client_delay = (unsigned)delay;

    if (timers_start(&timers) != 0)
        abort();
    if (pthread_create(&client, NULL, client_main, NULL) != 0)
        abort();

    s = session_open(2);
    for (int i = 0; i < ticks; i++)
        timers_tick(&timers);
    if (s != NULL) {
        bool in_time = session_close(s);
        assert(in_time || ticks == 2);
    }

    pthread_join(client, NULL);
    timers_stop(&timers);
    return 0;
}
