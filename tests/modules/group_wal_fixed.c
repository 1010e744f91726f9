// EXPECT: assert=verified race=verified deadlock=verified memory=verified (group_wal as its reviewer wants it: only the records of the leader's own batch become durable)
/*
 * group_wal: a write-ahead log with group commit.
 *
 * A committer appends its record and then waits until it is durable.  The
 * first one that finds no write under way becomes the leader: it writes
 * everything appended so far in one go, without the lock, while others may
 * append behind its batch.  The followers wait; those whose record was not
 * in the batch elect the next leader among themselves.
 *
 * After a failed write the log is broken: whatever is not durable by then
 * never will be, and commits return EIO.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define MAX_RECORDS 3

/* Only used by the leader, one at a time. */
struct disk {
    int blocks[MAX_RECORDS];
    unsigned used;
    unsigned capacity;
    unsigned writes;
};

struct wal {
    pthread_mutex_t lock;
    pthread_cond_t progress;
    int records[MAX_RECORDS];
    unsigned appended;
    unsigned durable;
    bool writing;
    bool broken;
    struct disk *disk;
};

static int disk_write(struct disk *d, const int *records, unsigned from,
                      unsigned to)
{
    unsigned i;

    d->writes++;
    if (to > d->capacity)
        return EIO;
    for (i = from; i < to; i++)
        d->blocks[i] = records[i];
    d->used = to;
    return 0;
}

static int wal_init(struct wal *w, struct disk *d)
{
    int rc;

    w->appended = 0;
    w->durable = 0;
    w->writing = false;
    w->broken = false;
    w->disk = d;
    rc = pthread_mutex_init(&w->lock, NULL);
    if (rc != 0)
        return rc;
    rc = pthread_cond_init(&w->progress, NULL);
    if (rc != 0)
        pthread_mutex_destroy(&w->lock);
    return rc;
}

static void wal_destroy(struct wal *w)
{
    assert(!w->writing);
    pthread_cond_destroy(&w->progress);
    pthread_mutex_destroy(&w->lock);
}

/* Writes what is there; called with the lock held, and no write under way. */
static void wal_lead(struct wal *w)
{
    unsigned from = w->durable;
    unsigned to = w->appended;
    int rc;

    w->writing = true;
    pthread_mutex_unlock(&w->lock);
    rc = disk_write(w->disk, w->records, from, to);
    pthread_mutex_lock(&w->lock);
    w->writing = false;
    if (rc == 0)
        w->durable = to;
    else
        w->broken = true;
    pthread_cond_broadcast(&w->progress);
}

/* Returns 0 with the position of the record once it is durable. */
static int wal_commit(struct wal *w, int record, unsigned *position)
{
    unsigned at;
    int rc = 0;

    pthread_mutex_lock(&w->lock);
    if (w->broken) {
        rc = EIO;
        goto out;
    }
    if (w->appended == MAX_RECORDS) {
        rc = ENOSPC;
        goto out;
    }
    at = w->appended;
    w->records[w->appended++] = record;

    while (w->durable <= at && !w->broken) {
        if (w->writing)
            pthread_cond_wait(&w->progress, &w->lock);
        else
            wal_lead(w);
    }
    if (w->durable <= at)
        rc = EIO;
    else
        *position = at;
out:
    pthread_mutex_unlock(&w->lock);
    return rc;
}

/* Driver: two clients commit; the disk may be too small. */

#define MAX_COMMITS 2

struct client {
    int first_record;
    unsigned commits;
    unsigned done;
    unsigned failed;
    unsigned positions[MAX_COMMITS];
};

static struct wal wal;
static struct disk disk;

static void client_run(struct client *c)
{
    unsigned i;

    for (i = 0; i < c->commits; i++) {
        int record = c->first_record + (int)i;

        switch (wal_commit(&wal, record, &c->positions[c->done])) {
        case 0:
            c->done++;
            break;
        case EIO:
            c->failed++;
            return;
        default:
            abort();
        }
    }
}

static void *client_main(void *arg)
{
    client_run(arg);
    return NULL;
}

static void check_client(const struct client *c)
{
    unsigned i;

    for (i = 0; i < c->done; i++) {
        assert(c->positions[i] < disk.used);
        assert(disk.blocks[c->positions[i]] == c->first_record + (int)i);
    }
}

int main(void)
{
    pthread_t thread;
    struct client here = { .first_record = 10, .commits = 1 };
    struct client there = { .first_record = 20, .commits = 1 };
    int commits, capacity;
    unsigned total;

    commits = heddle_input_int();
    heddle_assume(commits >= 1 && commits <= MAX_COMMITS);
    capacity = heddle_input_int();
    heddle_assume(capacity >= 1 && capacity <= MAX_RECORDS);
    here.commits = (unsigned)commits;
    disk.capacity = (unsigned)capacity;

    if (wal_init(&wal, &disk) != 0)
        return 1;
    if (pthread_create(&thread, NULL, client_main, &there) != 0)
        abort();
    client_run(&here);
    pthread_join(thread, NULL);

    total = here.commits + there.commits;
    check_client(&here);
    check_client(&there);
    assert(wal.durable == disk.used);
    assert(here.done + there.done == wal.durable);
    if (total <= disk.capacity) {
        assert(!wal.broken);
        assert(here.done + there.done == total);
        assert(disk.writes >= 1 && disk.writes <= total);
    } else {
        assert(wal.broken);
        assert(here.failed + there.failed >= 1);
    }
    wal_destroy(&wal);
    return 0;
}
