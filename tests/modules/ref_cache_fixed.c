// EXPECT: memory=verified-within-bounds (ref_cache as its reviewer wants it)
/*
 * ref_cache: a hash-table cache of reference-counted blobs.
 *
 * Each bucket has its own lock and a chain with the newest entry first.
 * The chain owns one reference on each entry in it; a full chain gives up
 * its oldest entry.  Readers keep an evicted entry until they put it back.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define NBUCKETS 2

struct entry {
    unsigned key;
    unsigned value;
    atomic_int refs;
    struct entry *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *chain;
    unsigned len;
};

struct ref_cache {
    struct bucket buckets[NBUCKETS];
    unsigned chain_max;
    atomic_int live;
};

static unsigned load_blob(unsigned key)
{
    return key * 17u + 3u;
}

static struct bucket *bucket_of(struct ref_cache *c, unsigned key)
{
    return &c->buckets[key % NBUCKETS];
}

static void cache_put(struct ref_cache *c, struct entry *e)
{
    if (atomic_fetch_sub(&e->refs, 1) == 1) {
        atomic_fetch_sub(&c->live, 1);
        free(e);
    }
}

static struct entry *chain_find(struct bucket *b, unsigned key)
{
    struct entry *e = b->chain;

    while (e != NULL && e->key != key)
        e = e->next;
    return e;
}

static struct entry *chain_unlink(struct bucket *b, struct entry *victim)
{
    struct entry **link = &b->chain;

    while (*link != victim)
        link = &(*link)->next;
    *link = victim->next;
    victim->next = NULL;
    b->len--;
    return victim;
}

static struct entry *chain_oldest(struct bucket *b)
{
    struct entry *e = b->chain;

    while (e->next != NULL)
        e = e->next;
    return e;
}

static struct entry *entry_new(struct ref_cache *c, unsigned key)
{
    struct entry *e = malloc(sizeof(*e));

    if (e == NULL)
        return NULL;
    e->key = key;
    e->value = load_blob(key);
    e->next = NULL;
    atomic_init(&e->refs, 1);
    atomic_fetch_add(&c->live, 1);
    return e;
}

/* Returns the entry with a reference for the caller, or NULL. */
static struct entry *cache_get(struct ref_cache *c, unsigned key)
{
    struct bucket *b = bucket_of(c, key);
    struct entry *e, *victim = NULL;

    pthread_mutex_lock(&b->lock);
    e = chain_find(b, key);
    if (e != NULL) {
        atomic_fetch_add(&e->refs, 1);
        pthread_mutex_unlock(&b->lock);
        return e;
    }

    e = entry_new(c, key);
    if (e != NULL) {
        if (b->len == c->chain_max)
            victim = chain_unlink(b, chain_oldest(b));
        atomic_fetch_add(&e->refs, 1);
        e->next = b->chain;
        b->chain = e;
        b->len++;
    }
    pthread_mutex_unlock(&b->lock);

    if (victim != NULL)
        cache_put(c, victim);
    return e;
}

static bool cache_invalidate(struct ref_cache *c, unsigned key)
{
    struct bucket *b = bucket_of(c, key);
    struct entry *e;

    pthread_mutex_lock(&b->lock);
    e = chain_find(b, key);
    if (e != NULL)
        chain_unlink(b, e);
    pthread_mutex_unlock(&b->lock);

    if (e == NULL)
        return false;
    cache_put(c, e);
    return true;
}

static int cache_init(struct ref_cache *c, unsigned chain_max)
{
    if (chain_max == 0)
        return EINVAL;
    for (int i = 0; i < NBUCKETS; i++) {
        c->buckets[i].chain = NULL;
        c->buckets[i].len = 0;
        if (pthread_mutex_init(&c->buckets[i].lock, NULL) != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&c->buckets[i].lock);
            return EAGAIN;
        }
    }
    c->chain_max = chain_max;
    atomic_init(&c->live, 0);
    return 0;
}

static void cache_destroy(struct ref_cache *c)
{
    for (int i = 0; i < NBUCKETS; i++) {
        struct bucket *b = &c->buckets[i];
        while (b->chain != NULL) {
            assert(atomic_load(&b->chain->refs) == 1);
            cache_put(c, chain_unlink(b, b->chain));
        }
        assert(b->len == 0);
        pthread_mutex_destroy(&b->lock);
    }
    assert(atomic_load(&c->live) == 0);
}

/* Driver: main fetches a warm blob while another client asks for its own. */

enum request { REQ_FETCH, REQ_INVALIDATE, REQ_REFRESH, NREQUESTS };

static struct ref_cache cache;

struct client {
    enum request request;
    unsigned key;
};

static void fetch(unsigned key)
{
    struct entry *e = cache_get(&cache, key);

    if (e == NULL)
        return;
    assert(e->key == key);
    assert(e->value == load_blob(key));
    cache_put(&cache, e);
}

static void *client_main(void *arg)
{
    struct client *cl = arg;

    switch (cl->request) {
    case REQ_FETCH:
        fetch(cl->key);
        break;
    case REQ_INVALIDATE:
        cache_invalidate(&cache, cl->key);
        break;
    default:
        cache_invalidate(&cache, cl->key);
        fetch(cl->key);
        break;
    }
    return NULL;
}

int main(void)
{
    struct client cl;
    pthread_t thread;
    int request = heddle_input_int();
    int key = heddle_input_int();

    heddle_assume(request >= 0 && request < NREQUESTS);
    heddle_assume(key >= 0 && key <= 3);

    if (cache_init(&cache, 1) != 0)
        return 1;
    fetch(0);

    cl.request = (enum request)request;
    cl.key = (unsigned)key;
    if (pthread_create(&thread, NULL, client_main, &cl) != 0)
        abort();
    fetch(0);
    fetch(1);
    pthread_join(thread, NULL);

    cache_destroy(&cache);
    return 0;
}
