// EXPECT: race=violated memory=violated assert=violated twin=drain_queue_fixed (a job counts as finished when a worker takes it, and the drain does not wait for it to run)
// PATCH, written before the tool ran: in jobs_worker
//            job = q->jobs[q->queued - 1];
//            queue_remove(q, q->queued - 1);
//   -        queue_finish(q);
//            pthread_mutex_unlock(&q->lock);
//            job.run(job.ctx);
//            pthread_mutex_lock(&q->lock);
//   +        queue_finish(q);
//        }
//        pthread_mutex_unlock(&q->lock);
// Review: "drain promises that no job is queued or running, but the count goes down before the job has run; the caller frees the results while the worker still writes to them."
/*
 * drain_queue: a bounded queue of jobs by priority.
 *
 * Jobs are taken by priority, among equals in the order of submission.  A
 * job that is still queued can be cancelled; it does not run then.
 *
 * jobs_drain() closes the queue for submitters and returns when no job is
 * queued or running any more: whatever the jobs work on may be freed then,
 * even though the worker threads still exist.  They end with jobs_stop().
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define QUEUE_SIZE 2

typedef void (*job_fn)(void *ctx);

struct job {
    unsigned id;
    int priority;
    job_fn run;
    void *ctx;
};

struct job_queue {
    pthread_mutex_t lock;
    pthread_cond_t work;        /* for workers: a job, or stopping */
    pthread_cond_t room;        /* for submitters: a free place, or closed */
    pthread_cond_t idle;        /* for the drain: nothing unfinished */
    struct job jobs[QUEUE_SIZE];        /* the next one comes last */
    unsigned queued;
    unsigned unfinished;        /* queued or running */
    unsigned next_id;
    bool closed;
    bool stopping;
};

static void jobs_init(struct job_queue *q)
{
    q->queued = 0;
    q->unfinished = 0;
    q->next_id = 1;
    q->closed = false;
    q->stopping = false;
    if (pthread_mutex_init(&q->lock, NULL) != 0 ||
        pthread_cond_init(&q->work, NULL) != 0 ||
        pthread_cond_init(&q->room, NULL) != 0 ||
        pthread_cond_init(&q->idle, NULL) != 0)
        abort();
}

static void jobs_destroy(struct job_queue *q)
{
    assert(q->queued == 0 && q->unfinished == 0);
    pthread_cond_destroy(&q->idle);
    pthread_cond_destroy(&q->room);
    pthread_cond_destroy(&q->work);
    pthread_mutex_destroy(&q->lock);
}

/* Keeps the jobs sorted; with the lock held, and room for one more. */
static void queue_insert(struct job_queue *q, const struct job *job)
{
    unsigned at = q->queued;

    assert(at < QUEUE_SIZE);
    while (at > 0 && q->jobs[at - 1].priority >= job->priority) {
        q->jobs[at] = q->jobs[at - 1];
        at--;
    }
    q->jobs[at] = *job;
    q->queued++;
}

static void queue_remove(struct job_queue *q, unsigned at)
{
    q->queued--;
    for (; at < q->queued; at++)
        q->jobs[at] = q->jobs[at + 1];
    pthread_cond_signal(&q->room);
}

/* One job has left for good; with the lock held. */
static void queue_finish(struct job_queue *q)
{
    assert(q->unfinished > 0);
    if (--q->unfinished == 0)
        pthread_cond_broadcast(&q->idle);
}

/* Waits for room; the id of the job, or 0 when the queue is closed. */
static unsigned jobs_submit(struct job_queue *q, int priority, job_fn run,
                            void *ctx)
{
    struct job job = { 0, priority, run, ctx };

    pthread_mutex_lock(&q->lock);
    while (q->queued == QUEUE_SIZE && !q->closed)
        pthread_cond_wait(&q->room, &q->lock);
    if (!q->closed) {
        job.id = q->next_id++;
        queue_insert(q, &job);
        q->unfinished++;
        pthread_cond_signal(&q->work);
    }
    pthread_mutex_unlock(&q->lock);
    return job.id;
}

/* ENOENT when the job runs already, or has run. */
static int jobs_cancel(struct job_queue *q, unsigned id)
{
    int rc = ENOENT;
    unsigned i;

    pthread_mutex_lock(&q->lock);
    for (i = 0; i < q->queued; i++) {
        if (q->jobs[i].id == id) {
            queue_remove(q, i);
            queue_finish(q);
            rc = 0;
            break;
        }
    }
    pthread_mutex_unlock(&q->lock);
    return rc;
}

static void *jobs_worker(void *arg)
{
    struct job_queue *q = arg;
    struct job job;

    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (q->queued == 0 && !q->stopping)
            pthread_cond_wait(&q->work, &q->lock);
        if (q->queued == 0)
            break;
        job = q->jobs[q->queued - 1];
        queue_remove(q, q->queued - 1);
        queue_finish(q);
        pthread_mutex_unlock(&q->lock);
        job.run(job.ctx);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

static void jobs_drain(struct job_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->room);
    while (q->unfinished > 0)
        pthread_cond_wait(&q->idle, &q->lock);
    pthread_mutex_unlock(&q->lock);
}

/* After the drain: the workers end. */
static void jobs_stop(struct job_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stopping = true;
    pthread_cond_broadcast(&q->work);
    pthread_mutex_unlock(&q->lock);
}

/* Driver: pages are rendered by one worker; one may be cancelled. */

#define PAGES 2

struct page {
    int number;
    int rendered;
};

static void render(void *ctx)
{
    struct page *p = ctx;

    p->rendered = p->number + 1;
}

static struct job_queue queue;

int main(void)
{
    pthread_t worker;
    struct page *pages;
    unsigned ids[PAGES];
    int count, cancel, i, rendered = 0, cancelled = 0;

    count = heddle_input_int();
    heddle_assume(count >= 1 && count <= PAGES);
    cancel = heddle_input_int();
    heddle_assume(cancel >= 0 && cancel <= 1);

    pages = calloc(PAGES, sizeof(*pages));
    if (pages == NULL)
        return 1;
    jobs_init(&queue);
    if (pthread_create(&worker, NULL, jobs_worker, &queue) != 0)
        abort();
    for (i = 0; i < count; i++) {
        pages[i].number = i;
        ids[i] = jobs_submit(&queue, i, render, &pages[i]);
        assert(ids[i] == (unsigned)i + 1);
    }
    if (cancel && jobs_cancel(&queue, ids[0]) == 0)
        cancelled++;
    jobs_drain(&queue);
    assert(jobs_submit(&queue, 0, render, &pages[0]) == 0);
    for (i = 0; i < count; i++) {
        if (pages[i].rendered == pages[i].number + 1)
            rendered++;
    }
    assert(cancelled == 0 || pages[0].rendered == 0);
    free(pages);

    jobs_stop(&queue);
    pthread_join(worker, NULL);
    assert(rendered + cancelled == count);
    jobs_destroy(&queue);
    return 0;
}
