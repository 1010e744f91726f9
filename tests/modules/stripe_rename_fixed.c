// EXPECT: deadlock=verified (stripe_rename as its reviewer wants it)
/*
 * stripe_rename: an integer map with a lock per stripe.
 *
 * The element count is kept in an atomic so that size() takes no lock.
 * Whoever needs more than one stripe takes them in ascending order.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define NSTRIPES 2

struct node {
    unsigned key;
    int value;
    struct node *next;
};

struct stripe {
    pthread_mutex_t lock;
    struct node *head;
};

struct striped_map {
    struct stripe stripes[NSTRIPES];
    atomic_uint size;
};

typedef void (*visit_fn)(unsigned key, int value, void *ctx);

static unsigned stripe_index(unsigned key)
{
    return key % NSTRIPES;
}

static struct node **find_link(struct stripe *s, unsigned key)
{
    struct node **link = &s->head;

    while (*link != NULL && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

static void lock_two(struct striped_map *m, unsigned a, unsigned b)
{
    if (a > b) {
        unsigned t = a;
        a = b;
        b = t;
    }
    pthread_mutex_lock(&m->stripes[a].lock);
    if (b != a)
        pthread_mutex_lock(&m->stripes[b].lock);
}

static void unlock_two(struct striped_map *m, unsigned a, unsigned b)
{
    pthread_mutex_unlock(&m->stripes[a].lock);
    if (b != a)
        pthread_mutex_unlock(&m->stripes[b].lock);
}

static int map_init(struct striped_map *m)
{
    for (int i = 0; i < NSTRIPES; i++) {
        m->stripes[i].head = NULL;
        if (pthread_mutex_init(&m->stripes[i].lock, NULL) != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&m->stripes[i].lock);
            return EAGAIN;
        }
    }
    atomic_init(&m->size, 0);
    return 0;
}

static int map_put(struct striped_map *m, unsigned key, int value)
{
    struct stripe *s = &m->stripes[stripe_index(key)];
    struct node *fresh = malloc(sizeof(*fresh));
    struct node **link;

    if (fresh == NULL)
        return ENOMEM;
    pthread_mutex_lock(&s->lock);
    link = find_link(s, key);
    if (*link != NULL) {
        (*link)->value = value;
        pthread_mutex_unlock(&s->lock);
        free(fresh);
        return 0;
    }
    fresh->key = key;
    fresh->value = value;
    fresh->next = NULL;
    *link = fresh;
    atomic_fetch_add(&m->size, 1);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static int map_remove(struct striped_map *m, unsigned key)
{
    struct stripe *s = &m->stripes[stripe_index(key)];
    struct node **link, *gone;

    pthread_mutex_lock(&s->lock);
    link = find_link(s, key);
    gone = *link;
    if (gone != NULL) {
        *link = gone->next;
        atomic_fetch_sub(&m->size, 1);
    }
    pthread_mutex_unlock(&s->lock);
    free(gone);
    return gone != NULL ? 0 : ENOENT;
}

/* Renames a key in one step: no reader sees both keys or none. */
static int map_rename(struct striped_map *m, unsigned from, unsigned to)
{
    unsigned src = stripe_index(from), dst = stripe_index(to);
    struct node **link, *n;
    int rc = 0;

    if (from == to)
        return EINVAL;
    lock_two(m, src, dst);
    link = find_link(&m->stripes[src], from);
    n = *link;
    if (n == NULL) {
        rc = ENOENT;
    } else if (*find_link(&m->stripes[dst], to) != NULL) {
        rc = EEXIST;
    } else {
        *link = n->next;
        n->key = to;
        n->next = m->stripes[dst].head;
        m->stripes[dst].head = n;
    }
    unlock_two(m, src, dst);
    return rc;
}

static unsigned map_size(struct striped_map *m)
{
    return atomic_load(&m->size);
}

/* Visits a consistent picture of the whole map. */
static void map_foreach(struct striped_map *m, visit_fn visit, void *ctx)
{
    for (int i = 0; i < NSTRIPES; i++)
        pthread_mutex_lock(&m->stripes[i].lock);
    for (int i = 0; i < NSTRIPES; i++) {
        for (struct node *n = m->stripes[i].head; n != NULL; n = n->next)
            visit(n->key, n->value, ctx);
    }
    for (int i = NSTRIPES - 1; i >= 0; i--)
        pthread_mutex_unlock(&m->stripes[i].lock);
}

static void map_destroy(struct striped_map *m)
{
    for (int i = 0; i < NSTRIPES; i++) {
        struct stripe *s = &m->stripes[i];
        while (s->head != NULL) {
            struct node *n = s->head;
            s->head = n->next;
            free(n);
        }
        pthread_mutex_destroy(&s->lock);
    }
}

/* Driver: two sessions rename their keys while main takes an inventory. */

struct inventory {
    unsigned count;
    int total;
};

static struct striped_map map;

struct session {
    unsigned from;
    unsigned to;
    int rc;
};

static void count_one(unsigned key, int value, void *ctx)
{
    struct inventory *inv = ctx;

    (void)key;
    inv->count++;
    inv->total += value;
}

static void *session_main(void *arg)
{
    struct session *s = arg;

    s->rc = map_rename(&map, s->from, s->to);
    return NULL;
}

int main(void)
{
    struct session left = { 0, 3, 0 }, right = { 1, 0, 0 };
    struct inventory inv = { 0, 0 };
    pthread_t t1, t2;
    int target = heddle_input_int();

    heddle_assume(target >= 2 && target <= 5);
    right.to = (unsigned)target;

    if (map_init(&map) != 0)
        return 1;
    if (map_put(&map, 0, 10) != 0 || map_put(&map, 1, 25) != 0)
        abort();

    if (pthread_create(&t1, NULL, session_main, &left) != 0 ||
        pthread_create(&t2, NULL, session_main, &right) != 0)
        abort();
    map_foreach(&map, count_one, &inv);
    assert(inv.count == 2 && inv.total == 35);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);

    assert(left.rc == 0 || right.rc == 0);
    assert((left.rc == 0 && right.rc == 0) == (target != 3));
    assert(map_size(&map) == 2);
    assert(map_remove(&map, left.rc == 0 ? left.to : left.from) == 0);
    assert(map_remove(&map, right.rc == 0 ? right.to : right.from) == 0);
    assert(map_size(&map) == 0);
    map_destroy(&map);
    return 0;
}
