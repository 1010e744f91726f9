// EXPECT: deadlock=violated twin=event_heap_fixed (close wakes only one of the runners that wait for an event)
// PATCH, written before the tool ran: in heap_close
//        h->closed = true;
//   -    pthread_cond_signal(&h->avail);
//   +    pthread_cond_broadcast(&h->avail);
//        pthread_mutex_unlock(&h->lock);
// Review: "Closing concerns every waiter, not one of them: use broadcast, or the second runner never returns from heap_take and join hangs."
/*
 * event_heap: a blocking priority queue for a scheduler's run loop.
 *
 * Binary min-heap on the deadline.  take() blocks until there is an event;
 * after close() it hands out what is left and then reports EPIPE.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct event {
    unsigned deadline;
    int token;
};

struct event_heap {
    pthread_mutex_t lock;
    pthread_cond_t avail;
    struct event *items;
    size_t len;
    size_t cap;
    bool closed;
};

static int heap_init(struct event_heap *h, size_t cap)
{
    h->items = malloc(cap * sizeof(*h->items));
    if (h->items == NULL)
        return ENOMEM;
    h->len = 0;
    h->cap = cap;
    h->closed = false;
    if (pthread_mutex_init(&h->lock, NULL) != 0) {
        free(h->items);
        return EAGAIN;
    }
    if (pthread_cond_init(&h->avail, NULL) != 0) {
        pthread_mutex_destroy(&h->lock);
        free(h->items);
        return EAGAIN;
    }
    return 0;
}

static void heap_destroy(struct event_heap *h)
{
    pthread_cond_destroy(&h->avail);
    pthread_mutex_destroy(&h->lock);
    free(h->items);
}

static int reserve_one(struct event_heap *h)
{
    struct event *bigger;

    if (h->len < h->cap)
        return 0;
    bigger = malloc(2 * h->cap * sizeof(*bigger));
    if (bigger == NULL)
        return ENOMEM;
    memcpy(bigger, h->items, h->len * sizeof(*bigger));
    free(h->items);
    h->items = bigger;
    h->cap *= 2;
    return 0;
}

static void sift_up(struct event *a, size_t i)
{
    struct event x = a[i];

    while (i > 0) {
        size_t parent = (i - 1) / 2;
        if (a[parent].deadline <= x.deadline)
            break;
        a[i] = a[parent];
        i = parent;
    }
    a[i] = x;
}

static void sift_down(struct event *a, size_t len, size_t i)
{
    struct event x = a[i];

    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= len)
            break;
        if (child + 1 < len && a[child + 1].deadline < a[child].deadline)
            child++;
        if (x.deadline <= a[child].deadline)
            break;
        a[i] = a[child];
        i = child;
    }
    a[i] = x;
}

static int heap_put(struct event_heap *h, unsigned deadline, int token)
{
    int rc = 0;

    pthread_mutex_lock(&h->lock);
    if (h->closed) {
        rc = EPIPE;
    } else if ((rc = reserve_one(h)) == 0) {
        h->items[h->len].deadline = deadline;
        h->items[h->len].token = token;
        sift_up(h->items, h->len);
        h->len++;
        pthread_cond_signal(&h->avail);
    }
    pthread_mutex_unlock(&h->lock);
    return rc;
}

static int heap_take(struct event_heap *h, struct event *out)
{
    pthread_mutex_lock(&h->lock);
    while (h->len == 0 && !h->closed)
        pthread_cond_wait(&h->avail, &h->lock);
    if (h->len == 0) {
        pthread_mutex_unlock(&h->lock);
        return EPIPE;
    }
    *out = h->items[0];
    h->len--;
    if (h->len > 0) {
        h->items[0] = h->items[h->len];
        sift_down(h->items, h->len, 0);
        assert(out->deadline <= h->items[0].deadline);
    }
    pthread_mutex_unlock(&h->lock);
    return 0;
}

static void heap_close(struct event_heap *h)
{
    pthread_mutex_lock(&h->lock);
    h->closed = true;
    pthread_cond_signal(&h->avail);
    pthread_mutex_unlock(&h->lock);
}

/* Driver: one scheduler thread (main) feeds two runners. */

#define NRUNNERS 2

static struct event_heap heap;

struct runner {
    pthread_t thread;
    unsigned taken;
    unsigned tokens;
};

static void *runner_main(void *arg)
{
    struct runner *r = arg;
    struct event e;

    while (heap_take(&heap, &e) == 0) {
        r->taken++;
        r->tokens |= 1u << e.token;
    }
    return NULL;
}

int main(void)
{
    struct runner runners[NRUNNERS];
    unsigned taken = 0, tokens = 0;
    int events = heddle_input_int();
    int first = heddle_input_int();

    heddle_assume(events >= 0 && events <= 3);
    heddle_assume(first >= 0 && first <= 7);

    if (heap_init(&heap, 2) != 0)
        return 1;
    for (int i = 0; i < NRUNNERS; i++) {
        runners[i].taken = 0;
        runners[i].tokens = 0;
        if (pthread_create(&runners[i].thread, NULL, runner_main, &runners[i]) != 0)
            abort();
    }

    for (int i = 0; i < events; i++) {
        unsigned deadline = ((unsigned)first + 5u * (unsigned)i) % 8u;
        if (heap_put(&heap, deadline, i) != 0)
            abort();
    }
    heap_close(&heap);
    assert(heap_put(&heap, 0, 0) == EPIPE);

    for (int i = 0; i < NRUNNERS; i++) {
        pthread_join(runners[i].thread, NULL);
        taken += runners[i].taken;
        assert((tokens & runners[i].tokens) == 0);
        tokens |= runners[i].tokens;
    }
    assert(taken == (unsigned)events);
    assert(tokens == (1u << events) - 1u);
    assert(heap.len == 0);
    heap_destroy(&heap);
    return 0;
}
