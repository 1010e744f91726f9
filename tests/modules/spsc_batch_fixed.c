// EXPECT: assert=verified race=verified deadlock=verified memory=verified (spsc_batch as its reviewer wants it: the head is moved after the batch has been copied)
/*
 * spsc_batch: a ring between one producer and one consumer, without locks.
 *
 * The producer writes samples into free slots and makes them visible a
 * batch at a time by moving `tail`; the consumer copies out what is there
 * and hands the slots back by moving `head`.  Both count up without bound
 * and are taken modulo the size of the ring:
 *
 *     head <= tail <= filled <= head + RING_SIZE
 *
 * `head` is only written by the consumer, `tail` only by the producer;
 * `filled` is the producer's alone.  A slot belongs to the consumer when
 * its position is in [head, tail), otherwise to the producer.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define RING_SIZE 2

struct sample {
    unsigned seq;
    int value;
};

struct ring {
    struct sample *slots;
    atomic_uint head;
    atomic_uint tail;
    unsigned filled;
    unsigned batch;
};

/* `batch` is the number of samples that are committed by themselves. */
static int ring_init(struct ring *r, unsigned batch)
{
    if (batch == 0 || batch > RING_SIZE)
        return EINVAL;
    r->slots = calloc(RING_SIZE, sizeof(*r->slots));
    if (r->slots == NULL)
        return ENOMEM;
    atomic_init(&r->head, 0);
    atomic_init(&r->tail, 0);
    r->filled = 0;
    r->batch = batch;
    return 0;
}

static void ring_destroy(struct ring *r)
{
    assert(atomic_load(&r->head) == atomic_load(&r->tail));
    free(r->slots);
}

/* Producer: makes visible what has been put. */
static void ring_commit(struct ring *r)
{
    atomic_store(&r->tail, r->filled);
}

/* Producer: EAGAIN when the ring is full. */
static int ring_put(struct ring *r, const struct sample *s)
{
    unsigned used = r->filled - atomic_load(&r->head);

    assert(used <= RING_SIZE);
    if (used == RING_SIZE) {
        /* Do not sit on samples the consumer could free by taking. */
        ring_commit(r);
        return EAGAIN;
    }
    r->slots[r->filled % RING_SIZE] = *s;
    r->filled++;
    if (r->filled - atomic_load(&r->tail) >= r->batch)
        ring_commit(r);
    return 0;
}

/* Consumer: copies up to `max` samples; returns how many. */
static unsigned ring_take(struct ring *r, struct sample *out, unsigned max)
{
    unsigned first = atomic_load(&r->head);
    unsigned n = atomic_load(&r->tail) - first;
    unsigned i;

    assert(n <= RING_SIZE);
    if (n > max)
        n = max;
    if (n == 0)
        return 0;
    for (i = 0; i < n; i++)
        out[i] = r->slots[(first + i) % RING_SIZE];
    atomic_store(&r->head, first + n);
    return n;
}

/* Driver: a sampler and a recorder that polls. */

#define MAX_SAMPLES 3
#define PUT_TRIES 2
#define TAKE_TRIES 2

static struct ring ring;

struct recorder {
    struct sample samples[MAX_SAMPLES];
    unsigned count;
};

static bool recorder_poll(struct recorder *rec)
{
    unsigned room = MAX_SAMPLES - rec->count;
    unsigned n;

    if (room == 0)
        return false;
    n = ring_take(&ring, rec->samples + rec->count, room);
    rec->count += n;
    return n > 0;
}

static void *recorder_main(void *arg)
{
    struct recorder *rec = arg;
    int i;

    for (i = 0; i < TAKE_TRIES; i++)
        recorder_poll(rec);
    return NULL;
}

/* Returns how many samples went into the ring; the rest is given up. */
static unsigned sampler_run(unsigned wanted)
{
    unsigned sent = 0;
    int tries = 0;

    while (sent < wanted && tries < PUT_TRIES) {
        struct sample s = { sent, 10 * (int)sent };

        if (ring_put(&ring, &s) == 0) {
            sent++;
            tries = 0;
        } else {
            tries++;
        }
    }
    ring_commit(&ring);
    return sent;
}

int main(void)
{
    pthread_t thread;
    struct recorder recorder = { .count = 0 };
    int samples, batch;
    unsigned sent, i;

    samples = heddle_input_int();
    heddle_assume(samples >= 1 && samples <= MAX_SAMPLES);
    batch = heddle_input_int();
    heddle_assume(batch >= 1 && batch <= RING_SIZE);

    if (ring_init(&ring, (unsigned)batch) != 0)
        return 1;
    if (pthread_create(&thread, NULL, recorder_main, &recorder) != 0)
        abort();
    sent = sampler_run((unsigned)samples);
    pthread_join(thread, NULL);
    while (recorder_poll(&recorder))
        ;

    assert(sent <= (unsigned)samples);
    assert(samples > RING_SIZE || sent == (unsigned)samples);
    assert(recorder.count == sent);
    for (i = 0; i < sent; i++) {
        assert(recorder.samples[i].seq == i);
        assert(recorder.samples[i].value == 10 * (int)i);
    }
    ring_destroy(&ring);
    return 0;
}
