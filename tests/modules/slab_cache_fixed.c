// EXPECT: assert=verified (slab_cache as its reviewer wants it)
/*
 * slab_cache: fixed-size objects from a slab, with per-thread magazines.
 *
 * Free slots are kept on a lock-free stack of indices; its head carries a
 * tag.  A thread frees into its own magazine first and goes to the shared
 * stack only when the magazine is full (or empty, when it allocates).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define SLAB_SLOTS 4
#define MAG_MAX 2
#define NIL UINT32_MAX

struct slot {
    _Atomic uint32_t next;
    atomic_uint owner;
    int payload;
};

struct slab {
    _Atomic uint64_t head;
    struct slot *slots;
};

struct magazine {
    struct slab *slab;
    unsigned owner;
    unsigned limit;
    unsigned len;
    uint32_t items[MAG_MAX];
};

static uint32_t head_index(uint64_t head)
{
    return (uint32_t)head;
}

static uint32_t head_tag(uint64_t head)
{
    return (uint32_t)(head >> 32);
}

static uint64_t next_head(uint64_t old, uint32_t index)
{
    uint32_t tag = head_tag(old) + 1;

    return ((uint64_t)tag << 32) | index;
}

static void slab_push(struct slab *s, uint32_t index)
{
    uint64_t old = atomic_load(&s->head);

    do {
        atomic_store(&s->slots[index].next, head_index(old));
    } while (!atomic_compare_exchange_strong(&s->head, &old, next_head(old, index)));
}

static uint32_t slab_pop(struct slab *s)
{
    uint64_t old = atomic_load(&s->head);

    while (head_index(old) != NIL) {
        uint32_t next = atomic_load(&s->slots[head_index(old)].next);
        if (atomic_compare_exchange_strong(&s->head, &old, next_head(old, next)))
            return head_index(old);
    }
    return NIL;
}

static int slab_init(struct slab *s)
{
    s->slots = malloc(SLAB_SLOTS * sizeof(*s->slots));
    if (s->slots == NULL)
        return -1;
    atomic_init(&s->head, NIL);
    for (uint32_t i = SLAB_SLOTS; i-- > 0;) {
        atomic_init(&s->slots[i].next, NIL);
        atomic_init(&s->slots[i].owner, 0);
        s->slots[i].payload = 0;
        slab_push(s, i);
    }
    return 0;
}

static unsigned slab_count_free(struct slab *s)
{
    uint32_t i = head_index(atomic_load(&s->head));
    unsigned n = 0;

    while (i != NIL) {
        assert(n < SLAB_SLOTS);
        assert(atomic_load(&s->slots[i].owner) == 0);
        n++;
        i = atomic_load(&s->slots[i].next);
    }
    return n;
}

static void slab_destroy(struct slab *s)
{
    free(s->slots);
    s->slots = NULL;
}

static void mag_init(struct magazine *m, struct slab *s, unsigned owner, unsigned limit)
{
    m->slab = s;
    m->owner = owner;
    m->limit = limit;
    m->len = 0;
}

static struct slot *obj_alloc(struct magazine *m)
{
    struct slot *o;
    uint32_t index;

    if (m->len > 0)
        index = m->items[--m->len];
    else
        index = slab_pop(m->slab);
    if (index == NIL)
        return NULL;

    o = &m->slab->slots[index];
    unsigned previous = atomic_exchange(&o->owner, m->owner);
    assert(previous == 0);
    (void)previous;
    return o;
}

static void obj_free(struct magazine *m, struct slot *o)
{
    uint32_t index = (uint32_t)(o - m->slab->slots);
    unsigned previous = atomic_exchange(&o->owner, 0);

    assert(previous == m->owner);
    (void)previous;
    if (m->len < m->limit)
        m->items[m->len++] = index;
    else
        slab_push(m->slab, index);
}

static void mag_flush(struct magazine *m)
{
    while (m->len > 0)
        slab_push(m->slab, m->items[--m->len]);
}

/* Driver: two workers build and tear down small batches of objects. */

#define BATCH_MAX 2

struct worker {
    pthread_t thread;
    struct magazine mag;
    unsigned batch;
};

static struct slab slab;

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct slot *objs[BATCH_MAX];
    unsigned n = 0;

    while (n < w->batch) {
        struct slot *o = obj_alloc(&w->mag);
        if (o == NULL)
            break;
        o->payload = (int)(w->mag.owner * 10 + n);
        objs[n++] = o;
    }
    assert(n == w->batch);

    for (unsigned i = 0; i < n; i++) {
        assert(objs[i]->payload == (int)(w->mag.owner * 10 + i));
        obj_free(&w->mag, objs[i]);
    }
    mag_flush(&w->mag);
    return NULL;
}

int main(void)
{
    struct worker workers[2];
    int limit = heddle_input_int();
    int batch = heddle_input_int();

    heddle_assume(limit >= 0 && limit <= MAG_MAX);
    heddle_assume(batch >= 1 && batch <= BATCH_MAX);

    if (slab_init(&slab) != 0)
        return 1;
    for (unsigned i = 0; i < 2; i++) {
        mag_init(&workers[i].mag, &slab, i + 1, (unsigned)limit);
        workers[i].batch = (unsigned)batch;
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);

    assert(slab_count_free(&slab) == SLAB_SLOTS);
    slab_destroy(&slab);
    return 0;
}
