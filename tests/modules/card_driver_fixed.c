// EXPECT: assert=verified race=verified deadlock=verified memory=verified (card_driver as its reviewer wants it: the reference is taken before the card leaves the protection of the queue's lock)
/*
 * card_driver: the life of a device between interrupts, users and removal.
 *
 * The interrupt handler only queues the card; a worker thread, the bottom
 * half, services it later.  Users open the card and may keep it open over
 * its removal; all they get then is ENODEV.
 *
 * References: the driver owns one from probe to removal, each open file one,
 * and the bottom half one while it services the card.  A queued card needs
 * none: removal takes it out of the queue before it drops the driver's.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct card {
    atomic_uint refs;
    pthread_mutex_t lock;
    bool removed;
    unsigned frames;
    bool queued;                /* guarded by the queue's lock */
    struct card *next_queued;
};

struct bottom_half {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct card *first;
    bool stopping;
};

struct driver {
    pthread_mutex_t irq_lock;   /* held while the handler runs */
    struct card *irq_card;
    pthread_mutex_t open_lock;
    struct card *open_card;
    struct bottom_half bh;
    atomic_uint cards_freed;
};

static struct driver driver;

static void card_get(struct card *c)
{
    atomic_fetch_add(&c->refs, 1);
}

static void card_put(struct card *c)
{
    if (atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&c->lock);
    free(c);
    atomic_fetch_add(&driver.cards_freed, 1);
}

/* Bottom half. */

static void bh_schedule(struct bottom_half *bh, struct card *c)
{
    pthread_mutex_lock(&bh->lock);
    if (!c->queued) {
        c->queued = true;
        c->next_queued = bh->first;
        bh->first = c;
        pthread_cond_signal(&bh->work);
    }
    pthread_mutex_unlock(&bh->lock);
}

/* Takes the card out of the queue if it is there. */
static void bh_cancel(struct bottom_half *bh, struct card *c)
{
    struct card **link;

    pthread_mutex_lock(&bh->lock);
    for (link = &bh->first; *link != NULL; link = &(*link)->next_queued) {
        if (*link == c) {
            *link = c->next_queued;
            c->queued = false;
            break;
        }
    }
    pthread_mutex_unlock(&bh->lock);
}

static void card_service(struct card *c)
{
    pthread_mutex_lock(&c->lock);
    if (!c->removed)
        c->frames++;
    pthread_mutex_unlock(&c->lock);
}

static void *bh_main(void *arg)
{
    struct bottom_half *bh = arg;
    struct card *c;

    pthread_mutex_lock(&bh->lock);
    for (;;) {
        while (bh->first == NULL && !bh->stopping)
            pthread_cond_wait(&bh->work, &bh->lock);
        c = bh->first;
        if (c == NULL)
            break;
        bh->first = c->next_queued;
        c->queued = false;
        card_get(c);
        pthread_mutex_unlock(&bh->lock);
        card_service(c);
        card_put(c);
        pthread_mutex_lock(&bh->lock);
    }
    pthread_mutex_unlock(&bh->lock);
    return NULL;
}

static void bh_stop(struct bottom_half *bh)
{
    pthread_mutex_lock(&bh->lock);
    bh->stopping = true;
    pthread_cond_broadcast(&bh->work);
    pthread_mutex_unlock(&bh->lock);
}

/* Interrupt: returns whether there was a card to handle it. */
static bool driver_irq(struct driver *d)
{
    bool handled = false;

    pthread_mutex_lock(&d->irq_lock);
    if (d->irq_card != NULL) {
        bh_schedule(&d->bh, d->irq_card);
        handled = true;
    }
    pthread_mutex_unlock(&d->irq_lock);
    return handled;
}

static int driver_probe(struct driver *d)
{
    struct card *c = malloc(sizeof(*c));

    if (c == NULL)
        return ENOMEM;
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        free(c);
        return ENOMEM;
    }
    atomic_init(&c->refs, 1);
    c->removed = false;
    c->frames = 0;
    c->queued = false;
    c->next_queued = NULL;
    pthread_mutex_lock(&d->open_lock);
    d->open_card = c;
    pthread_mutex_unlock(&d->open_lock);
    pthread_mutex_lock(&d->irq_lock);
    d->irq_card = c;
    pthread_mutex_unlock(&d->irq_lock);
    return 0;
}

/* No opens, no interrupts, no bottom half from here on; then the card goes. */
static void driver_remove(struct driver *d)
{
    struct card *c;

    pthread_mutex_lock(&d->open_lock);
    c = d->open_card;
    d->open_card = NULL;
    pthread_mutex_unlock(&d->open_lock);
    if (c == NULL)
        return;
    pthread_mutex_lock(&d->irq_lock);
    d->irq_card = NULL;
    pthread_mutex_unlock(&d->irq_lock);
    bh_cancel(&d->bh, c);
    pthread_mutex_lock(&c->lock);
    c->removed = true;
    pthread_mutex_unlock(&c->lock);
    card_put(c);
}

static struct card *card_open(struct driver *d)
{
    struct card *c;

    pthread_mutex_lock(&d->open_lock);
    c = d->open_card;
    if (c != NULL)
        card_get(c);
    pthread_mutex_unlock(&d->open_lock);
    return c;
}

/* The number of frames received, or ENODEV. */
static int card_read(struct card *c, unsigned *frames)
{
    int rc = 0;

    pthread_mutex_lock(&c->lock);
    if (c->removed)
        rc = ENODEV;
    else
        *frames = c->frames;
    pthread_mutex_unlock(&c->lock);
    return rc;
}

static void card_close(struct card *c)
{
    card_put(c);
}

/* Driver program: interrupts arrive while the card is pulled. */

static int interrupts;

static void *irq_main(void *arg)
{
    unsigned *handled = arg;
    int i;

    for (i = 0; i < interrupts; i++) {
        if (driver_irq(&driver))
            (*handled)++;
    }
    return NULL;
}

int main(void)
{
    pthread_t irq, bh;
    struct card *file = NULL;
    unsigned handled = 0, frames = 0;
    int with_user;

    interrupts = heddle_input_int();
    heddle_assume(interrupts >= 1 && interrupts <= 2);
    with_user = heddle_input_int();
    heddle_assume(with_user >= 0 && with_user <= 1);

    atomic_init(&driver.cards_freed, 0);
    if (pthread_mutex_init(&driver.irq_lock, NULL) != 0 ||
        pthread_mutex_init(&driver.open_lock, NULL) != 0 ||
        pthread_mutex_init(&driver.bh.lock, NULL) != 0 ||
        pthread_cond_init(&driver.bh.work, NULL) != 0)
        abort();
    if (driver_probe(&driver) != 0)
        abort();
    if (pthread_create(&bh, NULL, bh_main, &driver.bh) != 0 ||
        pthread_create(&irq, NULL, irq_main, &handled) != 0)
        abort();

    if (with_user)
        file = card_open(&driver);
    driver_remove(&driver);
    if (file != NULL) {
        assert(card_read(file, &frames) == ENODEV);
        card_close(file);
    }
    pthread_join(irq, NULL);
    bh_stop(&driver.bh);
    pthread_join(bh, NULL);

    assert(handled <= (unsigned)interrupts);
    assert((file != NULL) == (with_user != 0));
    assert(card_open(&driver) == NULL);
    assert(driver.bh.first == NULL);
    assert(atomic_load(&driver.cards_freed) == 1);
    pthread_cond_destroy(&driver.bh.work);
    pthread_mutex_destroy(&driver.bh.lock);
    pthread_mutex_destroy(&driver.open_lock);
    pthread_mutex_destroy(&driver.irq_lock);
    return 0;
}
