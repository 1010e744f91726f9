// EXPECT: assert=verified race=verified deadlock=verified memory=verified (deque_pool as its reviewer wants it: the two deques are locked in the order of their numbers)
/*
 * deque_pool: workers with a deque of tasks each, and stealing.
 *
 * A worker takes tasks from the back of its own deque.  When that is empty
 * it steals the older half of another worker's tasks: the oldest one it
 * runs at once, the rest move to its own deque.  Both deques are locked
 * while tasks move, so that each task is in a deque or with the worker who
 * runs it and cannot be missed by a third one that looks for work.
 *
 * A worker ends when its deque is empty and there is nothing to steal.
 * Tasks are only pushed before the workers start.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define WORKERS 2
#define DEQUE_SIZE 4

struct task {
    int number;
    atomic_int *sum;
};

struct deque {
    pthread_mutex_t lock;
    struct task tasks[DEQUE_SIZE];      /* [0] is the oldest */
    unsigned count;
};

struct pool;

struct worker {
    struct pool *pool;
    unsigned index;
    struct deque deque;
    unsigned executed;
    unsigned stolen;
};

struct pool {
    struct worker workers[WORKERS];
};

static int pool_init(struct pool *p)
{
    unsigned i;

    for (i = 0; i < WORKERS; i++) {
        struct worker *w = &p->workers[i];
        int rc = pthread_mutex_init(&w->deque.lock, NULL);

        if (rc != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&p->workers[i].deque.lock);
            return rc;
        }
        w->pool = p;
        w->index = i;
        w->deque.count = 0;
        w->executed = 0;
        w->stolen = 0;
    }
    return 0;
}

static void pool_destroy(struct pool *p)
{
    unsigned i;

    for (i = 0; i < WORKERS; i++) {
        assert(p->workers[i].deque.count == 0);
        pthread_mutex_destroy(&p->workers[i].deque.lock);
    }
}

static int deque_push(struct deque *d, const struct task *t)
{
    int rc = 0;

    pthread_mutex_lock(&d->lock);
    if (d->count == DEQUE_SIZE)
        rc = ENOSPC;
    else
        d->tasks[d->count++] = *t;
    pthread_mutex_unlock(&d->lock);
    return rc;
}

static bool deque_pop(struct deque *d, struct task *t)
{
    bool got = false;

    pthread_mutex_lock(&d->lock);
    if (d->count > 0) {
        *t = d->tasks[--d->count];
        got = true;
    }
    pthread_mutex_unlock(&d->lock);
    return got;
}

/* Moves the older half; with both locks held, and an empty `to`. */
static unsigned deque_move_half(struct deque *to, struct deque *from,
                                struct task *oldest)
{
    unsigned n = (from->count + 1) / 2;
    unsigned i;

    if (n == 0)
        return 0;
    *oldest = from->tasks[0];
    for (i = 1; i < n; i++)
        to->tasks[to->count++] = from->tasks[i];
    for (i = n; i < from->count; i++)
        from->tasks[i - n] = from->tasks[i];
    from->count -= n;
    return n;
}

/* Steals from one victim; `task` is the one to run next. */
static bool worker_steal(struct worker *thief, struct worker *victim,
                         struct task *task)
{
    struct worker *first = thief, *second = victim;
    unsigned n;

    if (victim->index < thief->index) {
        first = victim;
        second = thief;
    }
    pthread_mutex_lock(&first->deque.lock);
    pthread_mutex_lock(&second->deque.lock);
    assert(thief->deque.count == 0);
    n = deque_move_half(&thief->deque, &victim->deque, task);
    thief->stolen += n;
    pthread_mutex_unlock(&second->deque.lock);
    pthread_mutex_unlock(&first->deque.lock);
    return n > 0;
}

/* The next task: an own one, or one of the others in turn. */
static bool worker_next(struct worker *w, struct task *task)
{
    unsigned i;

    if (deque_pop(&w->deque, task))
        return true;
    for (i = 1; i < WORKERS; i++) {
        unsigned victim = (w->index + i) % WORKERS;

        if (worker_steal(w, &w->pool->workers[victim], task))
            return true;
    }
    return false;
}

static void task_run(const struct task *t)
{
    atomic_fetch_add(t->sum, t->number);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct task task;

    while (worker_next(w, &task)) {
        task_run(&task);
        w->executed++;
    }
    return NULL;
}

/* Driver: the main thread is worker 0; all tasks start on one or both. */

int main(void)
{
    pthread_t thread;
    struct pool pool;
    atomic_int sum;
    int tasks, spread, i;

    tasks = heddle_input_int();
    heddle_assume(tasks >= 1 && tasks <= 3);
    spread = heddle_input_int();
    heddle_assume(spread >= 0 && spread <= 1);

    atomic_init(&sum, 0);
    if (pool_init(&pool) != 0)
        return 1;
    for (i = 0; i < tasks; i++) {
        struct task t = { i + 1, &sum };
        unsigned owner = spread ? (unsigned)i % WORKERS : 0;

        if (deque_push(&pool.workers[owner].deque, &t) != 0)
            abort();
    }
    if (pthread_create(&thread, NULL, worker_main, &pool.workers[1]) != 0)
        abort();
    worker_main(&pool.workers[0]);
    pthread_join(thread, NULL);

    assert(atomic_load(&sum) == tasks * (tasks + 1) / 2);
    assert(pool.workers[0].executed + pool.workers[1].executed ==
           (unsigned)tasks);
    assert(pool.workers[0].deque.count == 0);
    assert(pool.workers[1].deque.count == 0);
    pool_destroy(&pool);
    return 0;
}
