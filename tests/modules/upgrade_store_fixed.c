// EXPECT: assert=verified race=verified deadlock=verified memory=verified (upgrade_store as its reviewer wants it: the refused put gives its read lock back)
/*
 * upgrade_store: a small store under a reader-writer lock with upgrade.
 *
 * A reader may upgrade to a writer without letting anybody else write in
 * between.  Only one reader can do so at a time: while one waits for the
 * others to leave, a second one is refused with EBUSY, stays a reader and
 * has to let go of the lock (two upgrades would wait for each other).
 *
 * Readers that come while an upgrade is waiting are held up until the
 * writer is done.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct upgrade_lock {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned readers;
    bool writer;
    bool upgrading;
};

static int ulock_init(struct upgrade_lock *l)
{
    int rc = pthread_mutex_init(&l->lock, NULL);

    if (rc != 0)
        return rc;
    rc = pthread_cond_init(&l->changed, NULL);
    if (rc != 0) {
        pthread_mutex_destroy(&l->lock);
        return rc;
    }
    l->readers = 0;
    l->writer = false;
    l->upgrading = false;
    return 0;
}

static void ulock_destroy(struct upgrade_lock *l)
{
    assert(l->readers == 0 && !l->writer && !l->upgrading);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
}

static void ulock_read(struct upgrade_lock *l)
{
    pthread_mutex_lock(&l->lock);
    while (l->writer || l->upgrading)
        pthread_cond_wait(&l->changed, &l->lock);
    l->readers++;
    pthread_mutex_unlock(&l->lock);
}

static void ulock_read_done(struct upgrade_lock *l)
{
    pthread_mutex_lock(&l->lock);
    assert(l->readers > 0);
    l->readers--;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void ulock_write(struct upgrade_lock *l)
{
    pthread_mutex_lock(&l->lock);
    while (l->writer || l->readers > 0)
        pthread_cond_wait(&l->changed, &l->lock);
    l->writer = true;
    pthread_mutex_unlock(&l->lock);
}

static void ulock_write_done(struct upgrade_lock *l)
{
    pthread_mutex_lock(&l->lock);
    assert(l->writer);
    l->writer = false;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Reader to writer; EBUSY when another reader is about to, still a reader. */
static int ulock_upgrade(struct upgrade_lock *l)
{
    pthread_mutex_lock(&l->lock);
    assert(l->readers > 0 && !l->writer);
    if (l->upgrading) {
        pthread_mutex_unlock(&l->lock);
        return EBUSY;
    }
    l->upgrading = true;
    while (l->readers > 1)
        pthread_cond_wait(&l->changed, &l->lock);
    l->readers = 0;
    l->upgrading = false;
    l->writer = true;
    pthread_mutex_unlock(&l->lock);
    return 0;
}

/* The store. */

#define STORE_SIZE 2

struct entry {
    int key;
    int value;
};

struct store {
    struct upgrade_lock guard;
    struct entry *entries;
    unsigned count;
};

static int store_init(struct store *s)
{
    int rc;

    s->entries = calloc(STORE_SIZE, sizeof(*s->entries));
    if (s->entries == NULL)
        return ENOMEM;
    s->count = 0;
    rc = ulock_init(&s->guard);
    if (rc != 0)
        free(s->entries);
    return rc;
}

static void store_destroy(struct store *s)
{
    ulock_destroy(&s->guard);
    free(s->entries);
}

/* As a reader or the writer. */
static const struct entry *store_find(const struct store *s, int key)
{
    unsigned i;

    for (i = 0; i < s->count; i++) {
        if (s->entries[i].key == key)
            return &s->entries[i];
    }
    return NULL;
}

/* As the writer. */
static int store_append(struct store *s, int key, int value)
{
    if (s->count == STORE_SIZE)
        return ENOSPC;
    s->entries[s->count].key = key;
    s->entries[s->count].value = value;
    s->count++;
    return 0;
}

/* Most keys are there: look as a reader first.  May be refused: EAGAIN. */
static int store_try_add(struct store *s, int key, int value)
{
    int rc;

    ulock_read(&s->guard);
    if (store_find(s, key) != NULL) {
        ulock_read_done(&s->guard);
        return EEXIST;
    }
    if (ulock_upgrade(&s->guard) != 0) {
        ulock_read_done(&s->guard);
        return EAGAIN;
    }
    rc = store_append(s, key, value);
    ulock_write_done(&s->guard);
    return rc;
}

/* Adds the key if it is not there; EEXIST if it is, ENOSPC. */
static int store_add(struct store *s, int key, int value)
{
    int rc = store_try_add(s, key, value);

    if (rc != EAGAIN)
        return rc;
    /* Somebody else is adding: queue up as a writer and look again. */
    ulock_write(&s->guard);
    if (store_find(s, key) != NULL)
        rc = EEXIST;
    else
        rc = store_append(s, key, value);
    ulock_write_done(&s->guard);
    return rc;
}

/* Driver: two threads add the same key or different ones. */

static struct store store;

struct addition {
    int key;
    int value;
    int rc;
};

static void *adder_main(void *arg)
{
    struct addition *a = arg;

    a->rc = store_add(&store, a->key, a->value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct addition here = { 0, 10, 0 }, there = { 0, 20, 0 };
    const struct entry *e;
    int key, known;

    key = heddle_input_int();
    heddle_assume(key >= 0 && key <= 1);
    known = heddle_input_int();
    heddle_assume(known >= 0 && known <= 1);
    there.key = key;

    if (store_init(&store) != 0)
        return 1;
    if (known && store_add(&store, 0, 30) != 0)
        abort();
    if (pthread_create(&thread, NULL, adder_main, &there) != 0)
        abort();
    adder_main(&here);
    pthread_join(thread, NULL);

    assert(store.count == (key == 0 ? 1u : 2u));
    e = store_find(&store, 0);
    assert(e != NULL);
    if (known) {
        assert(here.rc == EEXIST && e->value == 30);
        assert(there.rc == (key == 0 ? EEXIST : 0));
    } else if (key == 0) {
        assert((here.rc == 0 && there.rc == EEXIST && e->value == 10) ||
               (here.rc == EEXIST && there.rc == 0 && e->value == 20));
    } else {
        assert(here.rc == 0 && there.rc == 0 && e->value == 10);
    }
    store_destroy(&store);
    return 0;
}
