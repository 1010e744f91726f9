// EXPECT: assert=verified (job_backlog as its reviewer wants it)
/*
 * job_backlog: a bounded pool of background jobs.
 *
 * Producers block while the backlog is full.  drain() waits for a quiet
 * pool, shutdown() lets the workers finish the backlog and joins them.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define POOL_MAX_WORKERS 4

typedef void (*job_fn)(void *arg);

struct job {
    job_fn run;
    void *arg;
    struct job *next;
};

struct job_pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    pthread_cond_t quiet;
    struct job *head;
    struct job *tail;
    unsigned queued;
    unsigned capacity;
    unsigned running;
    bool stopping;
    unsigned nworkers;
    pthread_t workers[POOL_MAX_WORKERS];
};

static void push_tail(struct job_pool *p, struct job *j)
{
    j->next = NULL;
    if (p->tail != NULL)
        p->tail->next = j;
    else
        p->head = j;
    p->tail = j;
    p->queued++;
    assert(p->queued <= p->capacity);
}

static struct job *pop_head(struct job_pool *p)
{
    struct job *j = p->head;

    p->head = j->next;
    if (p->head == NULL)
        p->tail = NULL;
    p->queued--;
    return j;
}

static void *worker_main(void *arg)
{
    struct job_pool *p = arg;

    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->head == NULL && !p->stopping)
            pthread_cond_wait(&p->not_empty, &p->lock);
        if (p->head == NULL)
            break;

        struct job *j = pop_head(p);
        p->running++;
        pthread_cond_signal(&p->not_full);
        pthread_mutex_unlock(&p->lock);

        j->run(j->arg);
        free(j);

        pthread_mutex_lock(&p->lock);
        p->running--;
        if (p->running == 0 && p->queued == 0)
            pthread_cond_broadcast(&p->quiet);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static int pool_submit(struct job_pool *p, job_fn run, void *arg)
{
    struct job *j = malloc(sizeof(*j));

    if (j == NULL)
        return ENOMEM;
    j->run = run;
    j->arg = arg;

    pthread_mutex_lock(&p->lock);
    while (p->queued == p->capacity && !p->stopping)
        pthread_cond_wait(&p->not_full, &p->lock);
    if (p->stopping) {
        pthread_mutex_unlock(&p->lock);
        free(j);
        return ECANCELED;
    }
    push_tail(p, j);
    pthread_cond_signal(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
    return 0;
}

static void pool_drain(struct job_pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->queued > 0 || p->running > 0)
        pthread_cond_wait(&p->quiet, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void pool_shutdown(struct job_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_broadcast(&p->not_empty);
    pthread_cond_broadcast(&p->not_full);
    pthread_mutex_unlock(&p->lock);

    for (unsigned i = 0; i < p->nworkers; i++)
        pthread_join(p->workers[i], NULL);
    p->nworkers = 0;
}

static void pool_destroy(struct job_pool *p)
{
    assert(p->head == NULL && p->queued == 0 && p->running == 0);
    pthread_cond_destroy(&p->quiet);
    pthread_cond_destroy(&p->not_full);
    pthread_cond_destroy(&p->not_empty);
    pthread_mutex_destroy(&p->lock);
}

static int pool_init(struct job_pool *p, unsigned nworkers, unsigned capacity)
{
    if (nworkers == 0 || nworkers > POOL_MAX_WORKERS || capacity == 0)
        return EINVAL;

    p->head = p->tail = NULL;
    p->queued = 0;
    p->running = 0;
    p->capacity = capacity;
    p->stopping = false;
    p->nworkers = 0;
    if (pthread_mutex_init(&p->lock, NULL) != 0 ||
        pthread_cond_init(&p->not_empty, NULL) != 0 ||
        pthread_cond_init(&p->not_full, NULL) != 0 ||
        pthread_cond_init(&p->quiet, NULL) != 0)
        abort();

    for (unsigned i = 0; i < nworkers; i++) {
        int rc = pthread_create(&p->workers[i], NULL, worker_main, p);
        if (rc != 0) {
            pool_shutdown(p);
            pool_destroy(p);
            return rc;
        }
        p->nworkers++;
    }
    return 0;
}

/* Driver: two producers post bytes to one ledger. */

struct ledger {
    pthread_mutex_t lock;
    unsigned posted;
};

static struct job_pool pool;
static struct ledger ledger = { PTHREAD_MUTEX_INITIALIZER, 0 };

static void post_entry(void *arg)
{
    struct ledger *l = arg;

    pthread_mutex_lock(&l->lock);
    l->posted++;
    pthread_mutex_unlock(&l->lock);
}

static void *producer_main(void *arg)
{
    unsigned *accepted = arg;

    if (pool_submit(&pool, post_entry, &ledger) == 0)
        (*accepted)++;
    return NULL;
}

int main(void)
{
    int capacity = heddle_input_int();
    int jobs = heddle_input_int();
    unsigned accepted = 0, accepted_by_peer = 0;
    pthread_t producer;

    heddle_assume(capacity >= 1 && capacity <= 2);
    heddle_assume(jobs >= 1 && jobs <= 3);

    if (pool_init(&pool, 1, (unsigned)capacity) != 0)
        return 1;
    if (pthread_create(&producer, NULL, producer_main, &accepted_by_peer) != 0)
        abort();

    for (int i = 0; i < jobs; i++) {
        if (pool_submit(&pool, post_entry, &ledger) == 0)
            accepted++;
    }
    pthread_join(producer, NULL);
    pool_drain(&pool);

    pthread_mutex_lock(&ledger.lock);
    assert(ledger.posted == accepted + accepted_by_peer);
    pthread_mutex_unlock(&ledger.lock);

    pool_shutdown(&pool);
    assert(pool_submit(&pool, post_entry, &ledger) != 0);
    pool_destroy(&pool);
    pthread_mutex_destroy(&ledger.lock);
    return 0;
}
