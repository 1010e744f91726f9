// EXPECT: assert=verified (db_pool as its reviewer wants it)
/*
 * db_pool: a pool of at most `max` database connections.
 *
 * Clients wait when all connections are handed out.  A connection that
 * comes back broken is closed and replaced.  Connecting is slow, so it is
 * never done with the pool locked.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

/* The server side, as far as a client can see it. */
struct db_server {
    atomic_int sessions;
    int session_limit;
};

struct db_conn {
    struct db_server *server;
    bool broken;
    struct db_conn *next;
};

struct db_pool {
    pthread_mutex_t lock;
    pthread_cond_t available;
    struct db_server *server;
    struct db_conn *idle;
    int total;
    int max;
    int waiters;
};

static struct db_conn *db_connect(struct db_server *server)
{
    struct db_conn *c = malloc(sizeof(*c));
    int before;

    if (c == NULL)
        return NULL;
    before = atomic_fetch_add(&server->sessions, 1);
    assert(before < server->session_limit);
    c->server = server;
    c->broken = false;
    c->next = NULL;
    return c;
}

static void db_close(struct db_conn *c)
{
    atomic_fetch_sub(&c->server->sessions, 1);
    free(c);
}

static int db_query(struct db_conn *c, bool link_fails)
{
    if (link_fails) {
        c->broken = true;
        return EIO;
    }
    return 0;
}

static int pool_init(struct db_pool *p, struct db_server *server, int max)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return EAGAIN;
    if (pthread_cond_init(&p->available, NULL) != 0) {
        pthread_mutex_destroy(&p->lock);
        return EAGAIN;
    }
    p->server = server;
    p->idle = NULL;
    p->total = 0;
    p->max = max;
    p->waiters = 0;
    return 0;
}

static void wake_waiter(struct db_pool *p)
{
    if (p->waiters > 0)
        pthread_cond_signal(&p->available);
}

static struct db_conn *pool_acquire(struct db_pool *p)
{
    struct db_conn *c;

    pthread_mutex_lock(&p->lock);
    while (p->idle == NULL && p->total >= p->max) {
        p->waiters++;
        pthread_cond_wait(&p->available, &p->lock);
        p->waiters--;
    }

    if (p->idle != NULL) {
        c = p->idle;
        p->idle = c->next;
        c->next = NULL;
    } else {
        p->total++;
        pthread_mutex_unlock(&p->lock);
        c = db_connect(p->server);
        pthread_mutex_lock(&p->lock);
        if (c == NULL) {
            p->total--;
            wake_waiter(p);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return c;
}

static void pool_release(struct db_pool *p, struct db_conn *c)
{
    if (c->broken) {
        db_close(c);
        c = db_connect(p->server);
    }

    pthread_mutex_lock(&p->lock);
    if (c != NULL) {
        c->next = p->idle;
        p->idle = c;
    } else {
        p->total--;
    }
    wake_waiter(p);
    pthread_mutex_unlock(&p->lock);
}

static void pool_destroy(struct db_pool *p)
{
    assert(p->waiters == 0);
    while (p->idle != NULL) {
        struct db_conn *c = p->idle;
        p->idle = c->next;
        db_close(c);
        p->total--;
    }
    assert(p->total == 0);
    pthread_cond_destroy(&p->available);
    pthread_mutex_destroy(&p->lock);
}

/* Driver: two request handlers and main share the pool. */

#define NHANDLERS 2

static struct db_server server;
static struct db_pool pool;

struct handler {
    bool link_fails;
    bool done;
    bool failed;
};

static void handle_request(struct handler *h)
{
    struct db_conn *c = pool_acquire(&pool);

    if (c == NULL)
        return;
    assert(!c->broken && c->next == NULL);
    h->failed = db_query(c, h->link_fails) != 0;
    h->done = true;
    pool_release(&pool, c);
}

static void *handler_main(void *arg)
{
    handle_request(arg);
    return NULL;
}

int main(void)
{
    struct handler handlers[NHANDLERS + 1];
    pthread_t threads[NHANDLERS];
    int max = heddle_input_int();
    int unlucky = heddle_input_int();

    heddle_assume(max >= 1 && max <= 2);
    heddle_assume(unlucky >= 0 && unlucky <= NHANDLERS + 1);

    atomic_init(&server.sessions, 0);
    server.session_limit = max;
    if (pool_init(&pool, &server, max) != 0)
        return 1;

    for (int i = 0; i <= NHANDLERS; i++) {
        handlers[i].link_fails = i == unlucky;
        handlers[i].done = false;
        handlers[i].failed = false;
    }
    for (int i = 0; i < NHANDLERS; i++) {
        if (pthread_create(&threads[i], NULL, handler_main, &handlers[i]) != 0)
            abort();
    }
    handle_request(&handlers[NHANDLERS]);
    for (int i = 0; i < NHANDLERS; i++)
        pthread_join(threads[i], NULL);

    for (int i = 0; i <= NHANDLERS; i++) {
        if (handlers[i].done)
            assert(handlers[i].failed == (i == unlucky));
    }
    assert(pool.total <= pool.max);
    pool_destroy(&pool);
    assert(atomic_load(&server.sessions) == 0);
    return 0;
}
