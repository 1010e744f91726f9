// EXPECT: race=verified memory=verified (record_store as its reviewer wants it)
#define _POSIX_C_SOURCE 200809L

/*
 * record_store: versioned records behind a reader-writer lock.
 *
 * Records are appended and updated in place under the write lock; readers
 * work on private snapshots.  The array grows by doubling.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct record {
    unsigned id;
    unsigned version;
    unsigned value;
};

struct record_store {
    pthread_rwlock_t lock;
    struct record *recs;
    size_t len;
    size_t cap;
};

struct snapshot {
    struct record *recs;
    size_t len;
};

static int store_init(struct record_store *s, size_t cap)
{
    s->recs = malloc(cap * sizeof(*s->recs));
    if (s->recs == NULL)
        return ENOMEM;
    if (pthread_rwlock_init(&s->lock, NULL) != 0) {
        free(s->recs);
        return EAGAIN;
    }
    s->len = 0;
    s->cap = cap;
    return 0;
}

static void store_destroy(struct record_store *s)
{
    pthread_rwlock_destroy(&s->lock);
    free(s->recs);
}

static int grow_locked(struct record_store *s)
{
    size_t cap = s->cap * 2;
    struct record *recs = malloc(cap * sizeof(*recs));

    if (recs == NULL)
        return ENOMEM;
    memcpy(recs, s->recs, s->len * sizeof(*recs));
    free(s->recs);
    s->recs = recs;
    s->cap = cap;
    return 0;
}

static int store_append(struct record_store *s, unsigned value)
{
    struct record *r;
    int rc;

    pthread_rwlock_wrlock(&s->lock);
    if (s->len == s->cap && (rc = grow_locked(s)) != 0) {
        pthread_rwlock_unlock(&s->lock);
        return rc;
    }
    r = &s->recs[s->len];
    r->id = (unsigned)s->len;
    r->version = 1;
    r->value = value;
    s->len++;
    pthread_rwlock_unlock(&s->lock);
    return 0;
}

/* Compare-and-set on the version; EAGAIN asks the caller to read again. */
static int store_update(struct record_store *s, size_t id, unsigned seen,
                        unsigned value)
{
    int rc = 0;

    pthread_rwlock_wrlock(&s->lock);
    if (id >= s->len) {
        rc = ENOENT;
    } else if (s->recs[id].version != seen) {
        rc = EAGAIN;
    } else {
        s->recs[id].version++;
        s->recs[id].value = value;
    }
    pthread_rwlock_unlock(&s->lock);
    return rc;
}

static int store_read(struct record_store *s, size_t id, struct record *out)
{
    int rc = ENOENT;

    pthread_rwlock_rdlock(&s->lock);
    if (id < s->len) {
        *out = s->recs[id];
        rc = 0;
    }
    pthread_rwlock_unlock(&s->lock);
    return rc;
}

static int store_snapshot(struct record_store *s, struct snapshot *snap)
{
    const struct record *from;

    snap->recs = NULL;
    snap->len = 0;

    pthread_rwlock_rdlock(&s->lock);
    from = s->recs;
    if (s->len > 0) {
        snap->recs = malloc(s->len * sizeof(*snap->recs));
        if (snap->recs == NULL) {
            pthread_rwlock_unlock(&s->lock);
            return ENOMEM;
        }
        memcpy(snap->recs, from, s->len * sizeof(*snap->recs));
        snap->len = s->len;
    }
    pthread_rwlock_unlock(&s->lock);
    return 0;
}

static void snapshot_free(struct snapshot *snap)
{
    free(snap->recs);
    snap->recs = NULL;
    snap->len = 0;
}

/* Driver: one importer, one editor, and main as the reporting reader. */

#define VALUE_OF(id, version) ((id) * 100u + (version))

static struct record_store store;
static int imports;
static int edited;

static void *importer_main(void *arg)
{
    (void)arg;
    for (int i = 0; i < imports; i++) {
        if (store_append(&store, VALUE_OF((unsigned)i + 1u, 1u)) != 0)
            abort();
    }
    return NULL;
}

static void *editor_main(void *arg)
{
    struct record r;
    int *applied = arg;

    if (store_read(&store, (size_t)edited, &r) != 0)
        return NULL;
    assert(r.value == VALUE_OF(r.id, r.version));
    if (store_update(&store, r.id, r.version, VALUE_OF(r.id, r.version + 1)) == 0)
        (*applied)++;
    return NULL;
}

static void check_snapshot(const struct snapshot *snap)
{
    for (size_t i = 0; i < snap->len; i++) {
        const struct record *r = &snap->recs[i];
        assert(r->id == i);
        assert(r->version >= 1 && r->version <= 2);
        assert(r->value == VALUE_OF(r->id, r->version));
    }
}

int main(void)
{
    struct snapshot before, after;
    pthread_t importer, editor;
    int applied = 0;

    imports = heddle_input_int();
    edited = heddle_input_int();
    heddle_assume(imports >= 0 && imports <= 2);
    heddle_assume(edited >= 0 && edited <= 2);

    if (store_init(&store, 1) != 0)
        return 1;
    if (store_append(&store, VALUE_OF(0u, 1u)) != 0)
        abort();
    if (pthread_create(&importer, NULL, importer_main, NULL) != 0 ||
        pthread_create(&editor, NULL, editor_main, &applied) != 0)
        abort();

    if (store_snapshot(&store, &before) != 0)
        abort();
    check_snapshot(&before);
    assert(before.len >= 1);

    pthread_join(importer, NULL);
    pthread_join(editor, NULL);

    if (store_snapshot(&store, &after) != 0)
        abort();
    check_snapshot(&after);
    assert(after.len == (size_t)imports + 1);
    assert(after.len >= before.len);
    for (size_t i = 0; i < before.len; i++)
        assert(after.recs[i].version >= before.recs[i].version);
    if (applied)
        assert(after.recs[edited].version == 2);

    snapshot_free(&after);
    snapshot_free(&before);
    store_destroy(&store);
    return 0;
}
