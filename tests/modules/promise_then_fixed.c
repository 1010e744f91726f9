// EXPECT: assert=verified race=verified deadlock=verified memory=verified (promise_then as its reviewer wants it: the state is looked at again before the continuation is linked)
/*
 * promise_then: promises with continuations.
 *
 * A promise is kept once, by promise_keep().  Continuations attached before
 * that run in the thread that keeps it, in the order of attaching; one that
 * is attached later runs at once, in the thread that attaches it.  In either
 * case it runs exactly once, and without the lock.
 *
 * Promises are counted: every thread or continuation that holds a pointer
 * owns a reference and gives it back with promise_put().
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

typedef void (*then_fn)(void *ctx, int value);

struct continuation {
    then_fn run;
    void *ctx;
    struct continuation *next;
};

struct promise {
    pthread_mutex_t lock;
    pthread_cond_t kept_cond;
    unsigned refs;
    bool kept;
    int value;
    struct continuation *first;
    struct continuation **last;
};

static struct promise *promise_new(unsigned refs)
{
    struct promise *p = malloc(sizeof(*p));

    if (p == NULL)
        return NULL;
    if (pthread_mutex_init(&p->lock, NULL) != 0) {
        free(p);
        return NULL;
    }
    if (pthread_cond_init(&p->kept_cond, NULL) != 0) {
        pthread_mutex_destroy(&p->lock);
        free(p);
        return NULL;
    }
    p->refs = refs;
    p->kept = false;
    p->value = 0;
    p->first = NULL;
    p->last = &p->first;
    return p;
}

static void promise_put(struct promise *p)
{
    bool last;

    pthread_mutex_lock(&p->lock);
    assert(p->refs > 0);
    last = --p->refs == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last)
        return;
    assert(p->first == NULL);
    pthread_cond_destroy(&p->kept_cond);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* Keeps the promise and runs what was attached; EALREADY the second time. */
static int promise_keep(struct promise *p, int value)
{
    struct continuation *c;

    pthread_mutex_lock(&p->lock);
    if (p->kept) {
        pthread_mutex_unlock(&p->lock);
        return EALREADY;
    }
    p->kept = true;
    p->value = value;
    c = p->first;
    p->first = NULL;
    p->last = &p->first;
    pthread_cond_broadcast(&p->kept_cond);
    pthread_mutex_unlock(&p->lock);

    while (c != NULL) {
        struct continuation *next = c->next;

        c->run(c->ctx, value);
        free(c);
        c = next;
    }
    return 0;
}

/* Whether the promise is kept already, and with which value. */
static bool promise_poll(struct promise *p, int *value)
{
    bool kept;

    pthread_mutex_lock(&p->lock);
    kept = p->kept;
    if (kept)
        *value = p->value;
    pthread_mutex_unlock(&p->lock);
    return kept;
}

static int promise_then(struct promise *p, then_fn run, void *ctx)
{
    struct continuation *c;
    int value;

    /* Often the value is there already: no need for memory then. */
    if (promise_poll(p, &value)) {
        run(ctx, value);
        return 0;
    }
    c = malloc(sizeof(*c));
    if (c == NULL)
        return ENOMEM;
    c->run = run;
    c->ctx = ctx;
    c->next = NULL;

    pthread_mutex_lock(&p->lock);
    if (p->kept) {
        value = p->value;
        pthread_mutex_unlock(&p->lock);
        free(c);
        run(ctx, value);
        return 0;
    }
    *p->last = c;
    p->last = &c->next;
    pthread_mutex_unlock(&p->lock);
    return 0;
}

static int promise_wait(struct promise *p)
{
    int value;

    pthread_mutex_lock(&p->lock);
    while (!p->kept)
        pthread_cond_wait(&p->kept_cond, &p->lock);
    value = p->value;
    pthread_mutex_unlock(&p->lock);
    return value;
}

/* Driver: a reading, its successor as a second promise, and a tally. */

struct chain {
    struct promise *target;
    int step;
};

/* Owns a reference to the target. */
static void keep_target(void *ctx, int value)
{
    struct chain *c = ctx;

    if (promise_keep(c->target, value + c->step) != 0)
        abort();
    promise_put(c->target);
}

struct tally {
    pthread_mutex_t lock;
    unsigned calls;
    int sum;
};

static void add_to_tally(void *ctx, int value)
{
    struct tally *t = ctx;

    pthread_mutex_lock(&t->lock);
    t->calls++;
    t->sum += value;
    pthread_mutex_unlock(&t->lock);
}

static int reading;

/* Owns a reference to the promise it keeps. */
static void *sensor_main(void *arg)
{
    struct promise *p = arg;

    if (promise_keep(p, reading) != 0)
        abort();
    promise_put(p);
    return NULL;
}

int main(void)
{
    pthread_t sensor;
    struct promise *measured, *corrected;
    struct chain chain;
    struct tally tally = { .calls = 0, .sum = 0 };
    int result, with_tally;

    reading = heddle_input_int();
    heddle_assume(reading >= 0 && reading <= 2);
    with_tally = heddle_input_int();
    heddle_assume(with_tally == 0 || with_tally == 1);

    if (pthread_mutex_init(&tally.lock, NULL) != 0)
        return 1;
    measured = promise_new(2);      /* main and the sensor */
    corrected = promise_new(2);     /* main and the continuation */
    if (measured == NULL || corrected == NULL)
        abort();
    if (pthread_create(&sensor, NULL, sensor_main, measured) != 0)
        abort();

    chain.target = corrected;
    chain.step = 10;
    if (with_tally && promise_then(measured, add_to_tally, &tally) != 0)
        abort();
    if (promise_then(measured, keep_target, &chain) != 0)
        abort();
    result = promise_wait(corrected);
    pthread_join(sensor, NULL);

    assert(result == reading + 10);
    assert(tally.calls == (with_tally ? 1u : 0u));
    assert(tally.sum == (with_tally ? reading : 0));
    assert(promise_keep(measured, 0) == EALREADY);
    assert(measured->refs == 1 && corrected->refs == 1);
    promise_put(measured);
    promise_put(corrected);
    pthread_mutex_destroy(&tally.lock);
    return 0;
}
