// EXPECT: memory=verified (topic_sweep as its reviewer wants it)
/*
 * topic_sweep: topics with lists of subscribers.
 *
 * Callbacks run without the topic's lock and may unsubscribe themselves or
 * others.  A subscriber that leaves while messages are being delivered is
 * only marked; it is unlinked and freed when no delivery is under way.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

typedef void (*deliver_fn)(void *ctx, unsigned id, int message);

struct subscriber {
    unsigned id;
    deliver_fn deliver;
    void *ctx;
    bool gone;
    struct subscriber *next;
};

struct topic {
    pthread_mutex_t lock;
    struct subscriber *subs;
    unsigned next_id;
    unsigned active;
    unsigned deliveries;
};

static int topic_init(struct topic *t)
{
    t->subs = NULL;
    t->next_id = 1;
    t->active = 0;
    t->deliveries = 0;
    return pthread_mutex_init(&t->lock, NULL);
}

/* Unlinks and frees what is marked; the caller holds the lock. */
static void sweep(struct topic *t)
{
    struct subscriber **link = &t->subs;

    while (*link != NULL) {
        struct subscriber *s = *link;
        if (s->gone) {
            *link = s->next;
            free(s);
        } else {
            link = &s->next;
        }
    }
}

/* Returns the id of the subscription, 0 when there is no memory. */
static unsigned topic_subscribe(struct topic *t, deliver_fn deliver, void *ctx)
{
    struct subscriber *s = malloc(sizeof(*s));
    unsigned id;

    if (s == NULL)
        return 0;
    s->deliver = deliver;
    s->ctx = ctx;
    s->gone = false;

    pthread_mutex_lock(&t->lock);
    id = s->id = t->next_id++;
    s->next = t->subs;
    t->subs = s;
    t->active++;
    pthread_mutex_unlock(&t->lock);
    return id;
}

static int topic_unsubscribe(struct topic *t, unsigned id)
{
    struct subscriber *s;
    int rc = ENOENT;

    pthread_mutex_lock(&t->lock);
    for (s = t->subs; s != NULL; s = s->next) {
        if (s->id == id && !s->gone) {
            s->gone = true;
            t->active--;
            rc = 0;
            break;
        }
    }
    if (t->deliveries == 0)
        sweep(t);
    pthread_mutex_unlock(&t->lock);
    return rc;
}

/* Returns the number of subscribers reached. */
static unsigned topic_publish(struct topic *t, int message)
{
    struct subscriber *s;
    unsigned reached = 0;

    pthread_mutex_lock(&t->lock);
    t->deliveries++;
    for (s = t->subs; s != NULL; s = s->next) {
        if (s->gone)
            continue;
        pthread_mutex_unlock(&t->lock);
        s->deliver(s->ctx, s->id, message);
        reached++;
        pthread_mutex_lock(&t->lock);
    }
    if (--t->deliveries == 0)
        sweep(t);
    pthread_mutex_unlock(&t->lock);
    return reached;
}

static void topic_destroy(struct topic *t)
{
    assert(t->deliveries == 0);
    while (t->subs != NULL) {
        struct subscriber *s = t->subs;
        assert(!s->gone);
        t->subs = s->next;
        free(s);
    }
    pthread_mutex_destroy(&t->lock);
}

/* Driver: a price feed with a watcher and a one-shot alarm. */

static struct topic prices;
static int threshold;

struct counters {
    atomic_uint seen;
    atomic_uint alarms;
};

static struct counters counters;

static void watch(void *ctx, unsigned id, int message)
{
    struct counters *c = ctx;

    (void)id;
    (void)message;
    atomic_fetch_add(&c->seen, 1);
}

static void alarm_once(void *ctx, unsigned id, int message)
{
    struct counters *c = ctx;

    if (message < threshold)
        return;
    if (topic_unsubscribe(&prices, id) == 0)
        atomic_fetch_add(&c->alarms, 1);
}

static void *feed_main(void *arg)
{
    unsigned *reached = arg;

    *reached = topic_publish(&prices, 1);
    return NULL;
}

int main(void)
{
    pthread_t feed;
    unsigned there = 0, here;

    threshold = heddle_input_int();
    heddle_assume(threshold >= 0 && threshold <= 3);
    atomic_init(&counters.seen, 0);
    atomic_init(&counters.alarms, 0);

    if (topic_init(&prices) != 0)
        return 1;
    if (topic_subscribe(&prices, watch, &counters) == 0 ||
        topic_subscribe(&prices, alarm_once, &counters) == 0)
        abort();

    if (pthread_create(&feed, NULL, feed_main, &there) != 0)
        abort();
    here = topic_publish(&prices, 2);
    pthread_join(feed, NULL);

    assert(atomic_load(&counters.seen) == 2);
    assert(atomic_load(&counters.alarms) == (threshold <= 2 ? 1u : 0u));
    assert(here >= 1 && here <= 2 && there >= 1 && there <= 2);
    assert(prices.active == (threshold <= 2 ? 1u : 2u));
    topic_destroy(&prices);
    return 0;
}
