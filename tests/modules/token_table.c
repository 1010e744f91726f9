// EXPECT: assert=violated twin=token_table_fixed (two requests of a new client each create a bucket, and it spends its burst twice)
// PATCH, written before the tool ran: in table_get
//            return NULL;
//   +    b = table_find(t, client);
//   +    if (b != NULL) {
//   +        free(fresh);
//   +        return b;
//   +    }
//
// Review: "The lock is dropped for the allocation, so another request of the same client may have inserted the bucket meanwhile; look it up again before linking a second one."
/*
 * token_table: a rate limiter with one token bucket per client.
 *
 * A bucket is created full, with the client's first request.  A request
 * takes as many tokens as it costs, or none at all and is refused.  The
 * clock is a tick counter that the owner of the table drives; each tick
 * gives every bucket `refill` tokens, up to `burst`.
 *
 * One lock guards the table and all buckets.  Memory is allocated without
 * it: requests of known clients need not wait for the allocator.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define SLOTS 2

struct bucket {
    unsigned client;
    unsigned tokens;
    unsigned long filled_at;
    struct bucket *next;
};

struct token_table {
    pthread_mutex_t lock;
    struct bucket *slots[SLOTS];
    unsigned clients;
    unsigned burst;
    unsigned refill;
    unsigned long now;
};

static int table_init(struct token_table *t, unsigned burst, unsigned refill)
{
    unsigned i;

    if (burst == 0)
        return EINVAL;
    for (i = 0; i < SLOTS; i++)
        t->slots[i] = NULL;
    t->clients = 0;
    t->burst = burst;
    t->refill = refill;
    t->now = 0;
    return pthread_mutex_init(&t->lock, NULL);
}

/* With the lock held, or when the table is not shared any more. */
static struct bucket *table_find(struct token_table *t, unsigned client)
{
    struct bucket *b;

    for (b = t->slots[client % SLOTS]; b != NULL; b = b->next) {
        if (b->client == client)
            return b;
    }
    return NULL;
}

static void table_link(struct token_table *t, struct bucket *b)
{
    struct bucket **slot = &t->slots[b->client % SLOTS];

    b->next = *slot;
    *slot = b;
    t->clients++;
}

static void bucket_refill(struct token_table *t, struct bucket *b)
{
    unsigned long ticks = t->now - b->filled_at;
    unsigned room = t->burst - b->tokens;

    if (ticks * t->refill >= room)
        b->tokens = t->burst;
    else
        b->tokens += (unsigned)ticks * t->refill;
    b->filled_at = t->now;
}

/*
 * The bucket of the client, created if need be.  Called with the lock held
 * and returns with it held, but may let go of it in between.  NULL when
 * there is no memory.
 */
static struct bucket *table_get(struct token_table *t, unsigned client)
{
    struct bucket *b = table_find(t, client);
    struct bucket *fresh;

    if (b != NULL)
        return b;

    pthread_mutex_unlock(&t->lock);
    fresh = malloc(sizeof(*fresh));
    pthread_mutex_lock(&t->lock);
    if (fresh == NULL)
        return NULL;

    fresh->client = client;
    fresh->tokens = t->burst;
    fresh->filled_at = t->now;
    table_link(t, fresh);
    return fresh;
}

/* 0, or EAGAIN when the client has not enough tokens, EINVAL, ENOMEM. */
static int table_request(struct token_table *t, unsigned client, unsigned cost)
{
    struct bucket *b;
    int rc = 0;

    if (cost > t->burst)
        return EINVAL;
    pthread_mutex_lock(&t->lock);
    b = table_get(t, client);
    if (b == NULL) {
        rc = ENOMEM;
    } else {
        bucket_refill(t, b);
        if (b->tokens >= cost)
            b->tokens -= cost;
        else
            rc = EAGAIN;
    }
    pthread_mutex_unlock(&t->lock);
    return rc;
}

static void table_tick(struct token_table *t)
{
    pthread_mutex_lock(&t->lock);
    t->now++;
    pthread_mutex_unlock(&t->lock);
}

static void table_destroy(struct token_table *t)
{
    unsigned i;

    for (i = 0; i < SLOTS; i++) {
        while (t->slots[i] != NULL) {
            struct bucket *b = t->slots[i];

            t->slots[i] = b->next;
            free(b);
            t->clients--;
        }
    }
    assert(t->clients == 0);
    pthread_mutex_destroy(&t->lock);
}

/* Driver: two connections; the second is of the same or another client. */

#define BURST 2
#define COST 2

static struct token_table limits;

struct connection {
    unsigned client;
    unsigned accepted;
    unsigned refused;
};

static void connection_request(struct connection *c)
{
    switch (table_request(&limits, c->client, COST)) {
    case 0:
        c->accepted++;
        break;
    case EAGAIN:
        c->refused++;
        break;
    default:
        abort();
    }
}

static void *connection_main(void *arg)
{
    connection_request(arg);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct connection here = { 0, 0, 0 }, there = { 0, 0, 0 };
    int other, ticks;
    struct bucket *b;

    other = heddle_input_int();
    heddle_assume(other >= 0 && other <= 2);
    ticks = heddle_input_int();
    heddle_assume(ticks >= 0 && ticks <= 1);
    there.client = (unsigned)other;

    if (table_init(&limits, BURST, 1) != 0)
        return 1;
    if (pthread_create(&thread, NULL, connection_main, &there) != 0)
        abort();
    connection_request(&here);
    /* One tick gives back half of what a request costs. */
    if (ticks > 0)
        table_tick(&limits);
    pthread_join(thread, NULL);

    assert(here.accepted + here.refused == 1);
    assert(there.accepted + there.refused == 1);
    if (here.client == there.client) {
        assert(limits.clients == 1);
        assert(here.accepted + there.accepted == 1);
    } else {
        assert(limits.clients == 2);
        assert(here.accepted + there.accepted == 2);
    }
    b = table_find(&limits, here.client);
    assert(b != NULL && b->tokens <= BURST);
    table_destroy(&limits);
    return 0;
}
