// EXPECT: memory=violated twin=login_table_fixed (a logout that drops the table's reference although the expiry has dropped it already)
// PATCH, written before the tool ran: in table_logout
//        pthread_mutex_lock(&st->lock);
//   -    locked_drop(t, st, s);
//   +    if (s->linked)
//   +        locked_drop(t, st, s);
//        locked_put(t, s);
// Review: "The stripe is unlocked between finding the session and dropping it, and the janitor may expire it there; without looking at `linked` again the table's one reference is given back twice."
/*
 * login_table: sessions in a hash table with striped locks.
 *
 * A session is in the table from login until logout or expiry, whichever
 * comes first; the table owns one reference meanwhile, and everybody who
 * has found it owns another.  The last reference frees it.  Everything
 * about a session is guarded by the lock of its stripe.
 *
 * Logout writes the audit trail first, without any lock.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define STRIPES 2
#define LIFETIME 1

struct session {
    unsigned user;
    unsigned refs;
    bool linked;
    unsigned long expires;
    struct session *next;
};

struct stripe {
    pthread_mutex_t lock;
    struct session *sessions;
    unsigned count;
};

struct login_table {
    struct stripe stripes[STRIPES];
    atomic_uint audited;
    atomic_uint freed;
};

static int table_init(struct login_table *t)
{
    unsigned i;

    for (i = 0; i < STRIPES; i++) {
        int rc = pthread_mutex_init(&t->stripes[i].lock, NULL);

        if (rc != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&t->stripes[i].lock);
            return rc;
        }
        t->stripes[i].sessions = NULL;
        t->stripes[i].count = 0;
    }
    atomic_init(&t->audited, 0);
    atomic_init(&t->freed, 0);
    return 0;
}

static struct stripe *table_stripe(struct login_table *t, unsigned user)
{
    return &t->stripes[user % STRIPES];
}

/* The functions named locked_... want the lock of the stripe to be held. */

static struct session *locked_find(struct stripe *st, unsigned user)
{
    struct session *s;

    for (s = st->sessions; s != NULL; s = s->next) {
        if (s->user == user)
            return s;
    }
    return NULL;
}

static void locked_put(struct login_table *t, struct session *s)
{
    assert(s->refs > 0);
    if (--s->refs == 0) {
        free(s);
        atomic_fetch_add(&t->freed, 1);
    }
}

/* Takes the session out of the table and gives back the table's reference. */
static void locked_drop(struct login_table *t, struct stripe *st,
                        struct session *s)
{
    struct session **link;

    for (link = &st->sessions; *link != NULL; link = &(*link)->next) {
        if (*link == s) {
            *link = s->next;
            st->count--;
            break;
        }
    }
    s->linked = false;
    locked_put(t, s);
}

static int table_login(struct login_table *t, unsigned user, unsigned long now)
{
    struct stripe *st = table_stripe(t, user);
    struct session *s = malloc(sizeof(*s));
    int rc = 0;

    if (s == NULL)
        return ENOMEM;
    s->user = user;
    s->refs = 1;
    s->linked = true;
    s->expires = now + LIFETIME;

    pthread_mutex_lock(&st->lock);
    if (locked_find(st, user) != NULL) {
        rc = EEXIST;
    } else {
        s->next = st->sessions;
        st->sessions = s;
        st->count++;
    }
    pthread_mutex_unlock(&st->lock);
    if (rc != 0)
        free(s);
    return rc;
}

/* The session with a reference for the caller; NULL when logged out. */
static struct session *table_get(struct login_table *t, unsigned user)
{
    struct stripe *st = table_stripe(t, user);
    struct session *s;

    pthread_mutex_lock(&st->lock);
    s = locked_find(st, user);
    if (s != NULL)
        s->refs++;
    pthread_mutex_unlock(&st->lock);
    return s;
}

static void audit_logout(struct login_table *t)
{
    atomic_fetch_add(&t->audited, 1);
}

static int table_logout(struct login_table *t, unsigned user)
{
    struct stripe *st = table_stripe(t, user);
    struct session *s = table_get(t, user);

    if (s == NULL)
        return ENOENT;
    audit_logout(t);

    pthread_mutex_lock(&st->lock);
    locked_drop(t, st, s);
    locked_put(t, s);
    pthread_mutex_unlock(&st->lock);
    return 0;
}

/* Drops what has expired at `now`; returns how many sessions. */
static unsigned table_expire(struct login_table *t, unsigned long now)
{
    unsigned i, dropped = 0;

    for (i = 0; i < STRIPES; i++) {
        struct stripe *st = &t->stripes[i];
        struct session *s, *next;

        pthread_mutex_lock(&st->lock);
        for (s = st->sessions; s != NULL; s = next) {
            next = s->next;
            if (s->expires <= now) {
                locked_drop(t, st, s);
                dropped++;
            }
        }
        pthread_mutex_unlock(&st->lock);
    }
    return dropped;
}

static void table_destroy(struct login_table *t)
{
    unsigned i;

    for (i = 0; i < STRIPES; i++) {
        struct stripe *st = &t->stripes[i];

        while (st->sessions != NULL)
            locked_drop(t, st, st->sessions);
        assert(st->count == 0);
        pthread_mutex_destroy(&st->lock);
    }
}

/* Driver: the janitor runs while a user logs out. */

#define USERS 2

static struct login_table table;

struct janitor {
    unsigned long now;
    unsigned dropped;
};

static void *janitor_main(void *arg)
{
    struct janitor *j = arg;

    j->dropped = table_expire(&table, j->now);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct janitor janitor = { 0, 0 };
    int now, leaving, rc;
    unsigned i, left;

    now = heddle_input_int();
    heddle_assume(now >= 0 && now <= 2);
    leaving = heddle_input_int();
    heddle_assume(leaving >= 0 && leaving <= USERS);   /* USERS: nobody's */
    janitor.now = (unsigned long)now;

    if (table_init(&table) != 0)
        return 1;
    for (i = 0; i < USERS; i++) {
        /* User 0 expires at 1, user 1 at 2. */
        if (table_login(&table, i, i) != 0)
            abort();
    }
    if (pthread_create(&thread, NULL, janitor_main, &janitor) != 0)
        abort();
    rc = table_logout(&table, (unsigned)leaving);
    pthread_join(thread, NULL);

    left = table.stripes[0].count + table.stripes[1].count;
    assert(rc == 0 || rc == ENOENT);
    assert(atomic_load(&table.audited) == (rc == 0 ? 1u : 0u));
    assert(janitor.dropped <= (unsigned)now);
    assert(atomic_load(&table.freed) + left == USERS);
    if (now == 0)
        assert(left == (leaving < USERS ? 1u : 2u));
    if (now == 2)
        assert(left == 0);
    table_destroy(&table);
    assert(atomic_load(&table.freed) == USERS);
    return 0;
}
