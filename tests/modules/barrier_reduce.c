// EXPECT: deadlock=violated twin=barrier_reduce_fixed (a waiter that misses the release because a faster worker is in the next phase already)
// PATCH, written before the tool ran: in barrier_wait
//        } else {
//   -        while (b->arrived != 0)
//   +        while (b->generation == phase)
//                pthread_cond_wait(&b->released, &b->lock);
// Review: "The count is 0 only until the first worker arrives for the next phase; a waiter that wakes up after that goes on waiting. It must wait for the generation it arrived in to end."
/*
 * barrier_reduce: a computation in phases on a reusable barrier.
 *
 * Each worker owns a slice of the cells.  In each round it sums up its
 * slice, meets the others, and after the leader has reduced the partial
 * sums meets them again; then it subtracts the common mean from its slice.
 * A worker only touches its own slice and its own partial sum; the result
 * of a reduction is written by the leader between the two meetings.
 *
 * A round in which a slice overflows its limit makes the leader abandon the
 * computation: all workers leave after the same round.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define WORKERS 2
#define CELLS 4
#define LIMIT 100

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t released;
    unsigned parties;
    unsigned arrived;
    unsigned generation;
};

static int barrier_init(struct barrier *b, unsigned parties)
{
    int rc;

    if (parties == 0)
        return EINVAL;
    b->parties = parties;
    b->arrived = 0;
    b->generation = 0;
    rc = pthread_mutex_init(&b->lock, NULL);
    if (rc != 0)
        return rc;
    rc = pthread_cond_init(&b->released, NULL);
    if (rc != 0)
        pthread_mutex_destroy(&b->lock);
    return rc;
}

static void barrier_destroy(struct barrier *b)
{
    assert(b->arrived == 0);
    pthread_cond_destroy(&b->released);
    pthread_mutex_destroy(&b->lock);
}

/* Returns when all parties are here; with the number of the phase ended. */
static unsigned barrier_wait(struct barrier *b)
{
    unsigned phase;

    pthread_mutex_lock(&b->lock);
    phase = b->generation;
    if (++b->arrived == b->parties) {
        b->arrived = 0;
        b->generation++;
        pthread_cond_broadcast(&b->released);
    } else {
        while (b->arrived != 0)
            pthread_cond_wait(&b->released, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
    return phase;
}

struct job {
    struct barrier barrier;
    int *cells;
    unsigned rounds;
    int partial[WORKERS];
    int mean;
    bool abandoned;
};

struct worker {
    struct job *job;
    unsigned index;
    unsigned rounds_done;
    unsigned last_phase;
};

static int job_init(struct job *j, unsigned rounds)
{
    int rc;

    j->cells = calloc(CELLS, sizeof(*j->cells));
    if (j->cells == NULL)
        return ENOMEM;
    j->rounds = rounds;
    j->mean = 0;
    j->abandoned = false;
    rc = barrier_init(&j->barrier, WORKERS);
    if (rc != 0)
        free(j->cells);
    return rc;
}

static void job_destroy(struct job *j)
{
    barrier_destroy(&j->barrier);
    free(j->cells);
}

static int slice_sum(const int *cells, unsigned n)
{
    int sum = 0;
    unsigned i;

    for (i = 0; i < n; i++)
        sum += cells[i];
    return sum;
}

static void slice_shift(int *cells, unsigned n, int by)
{
    unsigned i;

    for (i = 0; i < n; i++)
        cells[i] -= by;
}

/* Between the two meetings of a round, by the leader alone. */
static void job_reduce(struct job *j)
{
    int total = 0;
    unsigned i;

    for (i = 0; i < WORKERS; i++) {
        total += j->partial[i];
        if (j->partial[i] > LIMIT)
            j->abandoned = true;
    }
    j->mean = total / CELLS;
}

static void worker_run(struct worker *w)
{
    struct job *j = w->job;
    const unsigned size = CELLS / WORKERS;
    int *slice = j->cells + w->index * size;
    unsigned round;

    for (round = 0; round < j->rounds; round++) {
        j->partial[w->index] = slice_sum(slice, size);
        barrier_wait(&j->barrier);
        if (w->index == 0)
            job_reduce(j);
        w->last_phase = barrier_wait(&j->barrier);
        if (j->abandoned)
            break;
        slice_shift(slice, size, j->mean);
        w->rounds_done++;
    }
}

/* Driver: the main thread is the leader. */

static void *worker_main(void *arg)
{
    worker_run(arg);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct job job;
    struct worker workers[WORKERS];
    int rounds, spike;
    unsigned i;

    rounds = heddle_input_int();
    heddle_assume(rounds >= 1 && rounds <= 2);
    spike = heddle_input_int();
    heddle_assume(spike >= 0 && spike <= 1);

    if (job_init(&job, (unsigned)rounds) != 0)
        return 1;
    for (i = 0; i < CELLS; i++)
        job.cells[i] = (int)i * 4;          /* 0 4 8 12, the mean is 6 */
    if (spike)
        job.cells[3] = LIMIT + 1;
    for (i = 0; i < WORKERS; i++) {
        workers[i].job = &job;
        workers[i].index = i;
        workers[i].rounds_done = 0;
        workers[i].last_phase = 0;
    }

    if (pthread_create(&thread, NULL, worker_main, &workers[1]) != 0)
        abort();
    worker_run(&workers[0]);
    pthread_join(thread, NULL);

    assert(workers[0].rounds_done == workers[1].rounds_done);
    assert(workers[0].last_phase == workers[1].last_phase);
    if (spike) {
        assert(job.abandoned && workers[0].rounds_done == 0);
        assert(job.barrier.generation == 2);
        assert(job.cells[0] == 0 && job.cells[3] == LIMIT + 1);
    } else {
        assert(!job.abandoned && workers[0].rounds_done == (unsigned)rounds);
        assert(job.barrier.generation == 2 * (unsigned)rounds);
        assert(slice_sum(job.cells, CELLS) == 0);
        assert(job.cells[0] == -6 && job.cells[3] == 6);
    }
    job_destroy(&job);
    return 0;
}
