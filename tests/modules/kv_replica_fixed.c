// EXPECT: assert=verified race=verified deadlock=verified memory=verified (kv_replica as its reviewer wants it: the position in the log is computed from the sequence number for each entry)
/*
 * kv_replica: a key-value server with a write log and snapshots.
 *
 * Each write goes to the table and to the log, under a number that counts
 * up from 0.  log[i] is the write numbered base + i.  A replica starts from
 * a snapshot of the table and follows the log; what all replicas have
 * read is trimmed when the log is full, and if nothing can be trimmed
 * the writer waits.
 *
 * A replica's copy of the table belongs to the thread that follows; its
 * position, `next`, is guarded by the server's lock.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define KEYS 2
#define LOG_SIZE 2
#define MAX_REPLICAS 2

struct write_entry {
    unsigned key;
    int value;
};

struct replica {
    int values[KEYS];
    unsigned applied;
    unsigned long next;
};

struct kv_server {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int values[KEYS];
    struct write_entry log[LOG_SIZE];
    unsigned long base;
    unsigned count;
    struct replica *replicas[MAX_REPLICAS];
    bool closed;
};

static int kv_init(struct kv_server *s)
{
    int rc;

    memset(s->values, 0, sizeof(s->values));
    s->base = 0;
    s->count = 0;
    s->replicas[0] = s->replicas[1] = NULL;
    s->closed = false;
    rc = pthread_mutex_init(&s->lock, NULL);
    if (rc != 0)
        return rc;
    rc = pthread_cond_init(&s->changed, NULL);
    if (rc != 0)
        pthread_mutex_destroy(&s->lock);
    return rc;
}

static void kv_destroy(struct kv_server *s)
{
    assert(s->replicas[0] == NULL && s->replicas[1] == NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
}

/* The number the next write gets; with the lock held. */
static unsigned long log_end(const struct kv_server *s)
{
    return s->base + s->count;
}

/* Drops what every replica has read; with the lock held. */
static unsigned log_trim(struct kv_server *s)
{
    unsigned long keep = log_end(s);
    unsigned i, dropped;

    for (i = 0; i < MAX_REPLICAS; i++) {
        if (s->replicas[i] != NULL && s->replicas[i]->next < keep)
            keep = s->replicas[i]->next;
    }
    dropped = (unsigned)(keep - s->base);
    for (i = dropped; i < s->count; i++)
        s->log[i - dropped] = s->log[i];
    s->base += dropped;
    s->count -= dropped;
    return dropped;
}

static int kv_put(struct kv_server *s, unsigned key, int value)
{
    if (key >= KEYS)
        return EINVAL;
    pthread_mutex_lock(&s->lock);
    while (s->count == LOG_SIZE && log_trim(s) == 0)
        pthread_cond_wait(&s->changed, &s->lock);
    s->values[key] = value;
    s->log[s->count].key = key;
    s->log[s->count].value = value;
    s->count++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

/* No more writes: replicas that have caught up end. */
static void kv_close(struct kv_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->closed = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* Takes a snapshot; the log is kept from here on for the replica. */
static int replica_attach(struct kv_server *s, struct replica *r)
{
    int rc = ENOSPC;
    unsigned i;

    pthread_mutex_lock(&s->lock);
    for (i = 0; i < MAX_REPLICAS; i++) {
        if (s->replicas[i] == NULL) {
            memcpy(r->values, s->values, sizeof(r->values));
            r->applied = 0;
            r->next = log_end(s);
            s->replicas[i] = r;
            rc = 0;
            break;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static void replica_detach(struct kv_server *s, struct replica *r)
{
    unsigned i;

    pthread_mutex_lock(&s->lock);
    for (i = 0; i < MAX_REPLICAS; i++) {
        if (s->replicas[i] == r)
            s->replicas[i] = NULL;
    }
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void replica_apply(struct replica *r, const struct write_entry *e)
{
    r->values[e->key] = e->value;
    r->applied++;
}

/* Applies the log, a batch at a time, until the server is closed. */
static void replica_follow(struct kv_server *s, struct replica *r)
{
    struct write_entry e;
    unsigned i, left;

    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (r->next == log_end(s) && !s->closed)
            pthread_cond_wait(&s->changed, &s->lock);
        if (r->next == log_end(s))
            break;

        i = (unsigned)(r->next - s->base);
        for (left = s->count - i; left > 0; left--) {
            e = s->log[r->next - s->base];
            r->next++;
            pthread_cond_broadcast(&s->changed);
            pthread_mutex_unlock(&s->lock);
            replica_apply(r, &e);
            pthread_mutex_lock(&s->lock);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

/* Driver: one replica follows up to three writes. */

static struct kv_server server;
static struct replica mirror;

static void *mirror_main(void *arg)
{
    struct replica *r = arg;

    replica_follow(&server, r);
    replica_detach(&server, r);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int writes, second, i;

    writes = heddle_input_int();
    heddle_assume(writes >= 1 && writes <= 3);
    second = heddle_input_int();
    heddle_assume(second >= 0 && second < KEYS);

    if (kv_init(&server) != 0)
        return 1;
    if (replica_attach(&server, &mirror) != 0)
        abort();
    if (pthread_create(&thread, NULL, mirror_main, &mirror) != 0)
        abort();
    for (i = 0; i < writes; i++) {
        unsigned key = i == 1 ? (unsigned)second : 0;

        if (kv_put(&server, key, i + 1) != 0)
            abort();
    }
    kv_close(&server);
    pthread_join(thread, NULL);

    assert(mirror.next == (unsigned long)writes);
    assert(mirror.applied == (unsigned)writes);
    assert(mirror.values[0] == server.values[0]);
    assert(mirror.values[1] == server.values[1]);
    kv_destroy(&server);
    return 0;
}
