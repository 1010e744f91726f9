// EXPECT: assert=verified race=verified deadlock=verified memory=verified (epoch_registry as its reviewer wants it: the reader looks whether the epoch it was counted in is still the current one)
/*
 * epoch_registry: services looked up without a lock, replaced by copy.
 *
 * Readers count themselves into the current epoch, one of two counters,
 * and may use what they find in the registry until they leave.  A writer
 * puts a new entry in place of the old one, starts the next epoch and waits
 * for the readers of the one before (the grace period): none of them can
 * hold the old entry after that, and it is freed.
 *
 * The pointers to the entries and the epoch are atomic; an entry does not
 * change once it is published.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define SERVICES 2

struct service {
    unsigned version;
    int port;
};

struct registry {
    _Atomic(struct service *) services[SERVICES];
    atomic_uint epoch;
    atomic_uint readers[2];
    pthread_mutex_t update_lock;    /* one writer at a time */
    pthread_mutex_t drain_lock;
    pthread_cond_t drained;
    unsigned updates;               /* guarded by update_lock */
};

static int registry_init(struct registry *r)
{
    unsigned i;

    for (i = 0; i < SERVICES; i++)
        atomic_init(&r->services[i], NULL);
    atomic_init(&r->epoch, 0);
    atomic_init(&r->readers[0], 0);
    atomic_init(&r->readers[1], 0);
    r->updates = 0;
    if (pthread_mutex_init(&r->update_lock, NULL) != 0)
        return ENOMEM;
    if (pthread_mutex_init(&r->drain_lock, NULL) != 0) {
        pthread_mutex_destroy(&r->update_lock);
        return ENOMEM;
    }
    if (pthread_cond_init(&r->drained, NULL) != 0) {
        pthread_mutex_destroy(&r->drain_lock);
        pthread_mutex_destroy(&r->update_lock);
        return ENOMEM;
    }
    return 0;
}

static void registry_destroy(struct registry *r)
{
    unsigned i;

    assert(atomic_load(&r->readers[0]) == 0);
    assert(atomic_load(&r->readers[1]) == 0);
    for (i = 0; i < SERVICES; i++)
        free(atomic_load(&r->services[i]));
    pthread_cond_destroy(&r->drained);
    pthread_mutex_destroy(&r->drain_lock);
    pthread_mutex_destroy(&r->update_lock);
}

static void registry_leave(struct registry *r, unsigned side)
{
    if (atomic_fetch_sub(&r->readers[side], 1) != 1)
        return;
    pthread_mutex_lock(&r->drain_lock);
    pthread_cond_broadcast(&r->drained);
    pthread_mutex_unlock(&r->drain_lock);
}

/* Returns what registry_leave() wants to be given. */
static unsigned registry_enter(struct registry *r)
{
    unsigned epoch = atomic_load(&r->epoch);

    atomic_fetch_add(&r->readers[epoch & 1], 1);
    while (atomic_load(&r->epoch) != epoch) {
        registry_leave(r, epoch & 1);
        epoch = atomic_load(&r->epoch);
        atomic_fetch_add(&r->readers[epoch & 1], 1);
    }
    return epoch & 1;
}

/* Waits for all who may have seen what was there before. */
static void registry_grace(struct registry *r)
{
    unsigned old = atomic_fetch_add(&r->epoch, 1) & 1;

    pthread_mutex_lock(&r->drain_lock);
    while (atomic_load(&r->readers[old]) != 0)
        pthread_cond_wait(&r->drained, &r->drain_lock);
    pthread_mutex_unlock(&r->drain_lock);
}

/* Registers or replaces a service. */
static int registry_set(struct registry *r, unsigned name, int port)
{
    struct service *fresh, *old;

    if (name >= SERVICES)
        return EINVAL;
    fresh = malloc(sizeof(*fresh));
    if (fresh == NULL)
        return ENOMEM;
    fresh->port = port;

    pthread_mutex_lock(&r->update_lock);
    fresh->version = ++r->updates;
    old = atomic_exchange(&r->services[name], fresh);
    if (old != NULL) {
        registry_grace(r);
        free(old);
    }
    pthread_mutex_unlock(&r->update_lock);
    return 0;
}

/* The port of the service, with its version; -1 when it is unknown. */
static int registry_port(struct registry *r, unsigned name, unsigned *version)
{
    unsigned side = registry_enter(r);
    struct service *s = atomic_load(&r->services[name]);
    int port = -1;

    if (s != NULL) {
        port = s->port;
        *version = s->version;
    }
    registry_leave(r, side);
    return port;
}

/* Driver: a client connects while the service moves up to two times. */

#define FIRST_PORT 100

static struct registry registry;

struct client {
    unsigned name;
    int port;
    unsigned version;
};

static void *client_main(void *arg)
{
    struct client *c = arg;

    c->port = registry_port(&registry, c->name, &c->version);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct client client = { 0, 0, 0 };
    int moves, name, i;

    moves = heddle_input_int();
    heddle_assume(moves >= 0 && moves <= 2);
    name = heddle_input_int();
    heddle_assume(name >= 0 && name < SERVICES);
    client.name = (unsigned)name;

    if (registry_init(&registry) != 0)
        return 1;
    if (registry_set(&registry, 0, FIRST_PORT) != 0)
        abort();
    if (pthread_create(&thread, NULL, client_main, &client) != 0)
        abort();
    for (i = 1; i <= moves; i++) {
        if (registry_set(&registry, 0, FIRST_PORT + i) != 0)
            abort();
    }
    pthread_join(thread, NULL);

    assert(registry.updates == (unsigned)moves + 1);
    assert(atomic_load(&registry.epoch) == (unsigned)moves);
    if (client.name == 0) {
        assert(client.version >= 1 && client.version <= registry.updates);
        assert(client.port == FIRST_PORT + (int)client.version - 1);
    } else {
        assert(client.port == -1 && client.version == 0);
    }
    registry_destroy(&registry);
    return 0;
}
