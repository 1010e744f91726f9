// EXPECT: deadlock=violated twin=actor_restart_fixed (a crash report that wakes the blocked sender instead of the supervisor)
// PATCH, written before the tool ran: in actor_report
//        a->state = state;
//   -    pthread_cond_signal(&a->changed);
//   +    pthread_cond_broadcast(&a->changed);
//        pthread_mutex_unlock(&a->lock);
// Review: "Senders short of room and the supervisor wait on the same condition, so one signal may go to a sender whose mailbox is still full; the supervisor then never learns of the crash."
/*
 * actor_restart: an actor with a bounded mailbox under a supervisor.
 *
 * The actor handles its messages one by one, without the lock.  A message
 * it cannot handle ends the thread; the supervisor joins it and starts a
 * new one on the same mailbox, at most MAX_RESTARTS times.  After that the
 * mailbox is closed, and senders get EPIPE.
 *
 * One condition, `changed`, covers every change of the actor: room in the
 * mailbox, a message, the state, stopping and closing.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define MAILBOX_SIZE 1
#define MAX_RESTARTS 1

enum actor_state {
    ACTOR_RUNNING,
    ACTOR_FINISHED,
    ACTOR_CRASHED
};

struct mailbox {
    int messages[MAILBOX_SIZE];
    unsigned first;
    unsigned count;
    bool closed;
};

/* Returns false when the message cannot be handled. */
typedef bool (*handle_fn)(void *ctx, int message);

struct actor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct mailbox box;
    enum actor_state state;
    bool stopping;
    unsigned restarts;
    handle_fn handle;
    void *ctx;
    pthread_t thread;
};

static int actor_init(struct actor *a, handle_fn handle, void *ctx)
{
    int rc;

    a->box.first = 0;
    a->box.count = 0;
    a->box.closed = false;
    a->state = ACTOR_RUNNING;
    a->stopping = false;
    a->restarts = 0;
    a->handle = handle;
    a->ctx = ctx;
    rc = pthread_mutex_init(&a->lock, NULL);
    if (rc != 0)
        return rc;
    rc = pthread_cond_init(&a->changed, NULL);
    if (rc != 0)
        pthread_mutex_destroy(&a->lock);
    return rc;
}

static void actor_destroy(struct actor *a)
{
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
}

/* Both are called with the actor's lock held. */
static void mailbox_put(struct mailbox *b, int message)
{
    assert(b->count < MAILBOX_SIZE);
    b->messages[(b->first + b->count) % MAILBOX_SIZE] = message;
    b->count++;
}

static int mailbox_take(struct mailbox *b)
{
    int message;

    assert(b->count > 0);
    message = b->messages[b->first];
    b->first = (b->first + 1) % MAILBOX_SIZE;
    b->count--;
    return message;
}

/* Waits for room; EPIPE once the supervisor has given the actor up. */
static int actor_send(struct actor *a, int message)
{
    int rc = 0;

    pthread_mutex_lock(&a->lock);
    while (a->box.count == MAILBOX_SIZE && !a->box.closed)
        pthread_cond_wait(&a->changed, &a->lock);
    if (a->box.closed) {
        rc = EPIPE;
    } else {
        mailbox_put(&a->box, message);
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return rc;
}

/* The actor handles what is in the mailbox and ends. */
static void actor_stop(struct actor *a)
{
    pthread_mutex_lock(&a->lock);
    a->stopping = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

/* The next message; false when there is none and none will come. */
static bool actor_receive(struct actor *a, int *message)
{
    bool got = false;

    pthread_mutex_lock(&a->lock);
    while (a->box.count == 0 && !a->stopping)
        pthread_cond_wait(&a->changed, &a->lock);
    if (a->box.count > 0) {
        *message = mailbox_take(&a->box);
        got = true;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return got;
}

/* The last thing an actor's thread does. */
static void actor_report(struct actor *a, enum actor_state state)
{
    pthread_mutex_lock(&a->lock);
    a->state = state;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

static void *actor_main(void *arg)
{
    struct actor *a = arg;
    int message;

    while (actor_receive(a, &message)) {
        if (!a->handle(a->ctx, message)) {
            actor_report(a, ACTOR_CRASHED);
            return NULL;
        }
    }
    actor_report(a, ACTOR_FINISHED);
    return NULL;
}

static int actor_start(struct actor *a)
{
    return pthread_create(&a->thread, NULL, actor_main, a);
}

/* Keeps the actor alive; returns when it has finished or is given up. */
static enum actor_state supervise(struct actor *a)
{
    enum actor_state state;

    for (;;) {
        pthread_mutex_lock(&a->lock);
        while (a->state == ACTOR_RUNNING)
            pthread_cond_wait(&a->changed, &a->lock);
        state = a->state;
        pthread_mutex_unlock(&a->lock);

        pthread_join(a->thread, NULL);
        if (state == ACTOR_FINISHED)
            return state;

        /* No thread of the actor runs here: the state is ours. */
        pthread_mutex_lock(&a->lock);
        if (a->restarts < MAX_RESTARTS) {
            a->restarts++;
            a->state = ACTOR_RUNNING;
            if (actor_start(a) == 0) {
                pthread_mutex_unlock(&a->lock);
                continue;
            }
            a->state = ACTOR_CRASHED;
        }
        a->box.closed = true;
        pthread_cond_broadcast(&a->changed);
        pthread_mutex_unlock(&a->lock);
        return state;
    }
}

/* Driver: a client counts up; one of its numbers is poison. */

struct tally {
    unsigned handled;
    unsigned crashed;
    int poison;
};

static bool count_message(void *ctx, int message)
{
    struct tally *t = ctx;

    if (message == t->poison) {
        t->crashed++;
        return false;
    }
    t->handled++;
    return true;
}

static struct actor counter;
static int to_send;

static void *client_main(void *arg)
{
    unsigned *sent = arg;
    int i;

    for (i = 0; i < to_send; i++) {
        if (actor_send(&counter, i) != 0)
            break;
        (*sent)++;
    }
    actor_stop(&counter);
    return NULL;
}

int main(void)
{
    pthread_t client;
    struct tally tally = { 0, 0, 0 };
    unsigned sent = 0;
    enum actor_state end;

    to_send = heddle_input_int();
    heddle_assume(to_send >= 1 && to_send <= 3);
    tally.poison = heddle_input_int();
    heddle_assume(tally.poison >= 0 && tally.poison <= 1);

    if (actor_init(&counter, count_message, &tally) != 0)
        return 1;
    if (actor_start(&counter) != 0)
        abort();
    if (pthread_create(&client, NULL, client_main, &sent) != 0)
        abort();
    end = supervise(&counter);
    pthread_join(client, NULL);

    assert(end == ACTOR_FINISHED);
    assert(sent == (unsigned)to_send);
    assert(tally.handled + tally.crashed == sent);
    assert(tally.crashed == (tally.poison < to_send ? 1u : 0u));
    assert(counter.restarts == tally.crashed);
    assert(counter.box.count == 0);
    actor_destroy(&counter);
    return 0;
}
