// EXPECT: deadlock=violated twin=frame_pipe_fixed (a filter that fails closes its output only, and the source waits for ever at its full input)
// PATCH, written before the tool ran: in filter_main
//        }
//   +    chan_close(&p->raw, rc);
//        chan_close(&p->ready, rc);
// Review: "The error goes downstream only: nobody receives from raw any more, so the source blocks in chan_send; close the input as well."
/*
 * frame_pipe: a media pipeline of three stages, source -> filter -> sink.
 *
 * Stages are joined by bounded channels of frames.  A stage that gives up
 * closes its channels with its error; both neighbours then stop with it.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define CHAN_MAX 2

struct frame {
    unsigned seq;
    unsigned luma;
};

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct frame *ring[CHAN_MAX];
    unsigned cap;
    unsigned first;
    unsigned len;
    bool closed;
    int error;
};

static int chan_init(struct channel *ch, unsigned cap)
{
    if (cap == 0 || cap > CHAN_MAX)
        return EINVAL;
    if (pthread_mutex_init(&ch->lock, NULL) != 0 ||
        pthread_cond_init(&ch->not_empty, NULL) != 0 ||
        pthread_cond_init(&ch->not_full, NULL) != 0)
        abort();
    ch->cap = cap;
    ch->first = 0;
    ch->len = 0;
    ch->closed = false;
    ch->error = 0;
    return 0;
}

/* Takes over the frame when it returns 0. */
static int chan_send(struct channel *ch, struct frame *f)
{
    int rc = 0;

    pthread_mutex_lock(&ch->lock);
    while (ch->len == ch->cap && !ch->closed)
        pthread_cond_wait(&ch->not_full, &ch->lock);
    if (ch->closed) {
        rc = ch->error != 0 ? ch->error : EPIPE;
    } else {
        ch->ring[(ch->first + ch->len) % ch->cap] = f;
        ch->len++;
        pthread_cond_signal(&ch->not_empty);
    }
    pthread_mutex_unlock(&ch->lock);
    return rc;
}

/* Sets *f to NULL at the end of the stream. */
static int chan_recv(struct channel *ch, struct frame **f)
{
    int rc = 0;

    *f = NULL;
    pthread_mutex_lock(&ch->lock);
    while (ch->len == 0 && !ch->closed)
        pthread_cond_wait(&ch->not_empty, &ch->lock);
    if (ch->len > 0) {
        *f = ch->ring[ch->first];
        ch->first = (ch->first + 1) % ch->cap;
        ch->len--;
        pthread_cond_signal(&ch->not_full);
    } else {
        rc = ch->error;
    }
    pthread_mutex_unlock(&ch->lock);
    return rc;
}

/* The first to close decides about the error. */
static void chan_close(struct channel *ch, int error)
{
    pthread_mutex_lock(&ch->lock);
    if (!ch->closed) {
        ch->closed = true;
        ch->error = error;
        pthread_cond_broadcast(&ch->not_empty);
        pthread_cond_broadcast(&ch->not_full);
    }
    pthread_mutex_unlock(&ch->lock);
}

static void chan_destroy(struct channel *ch)
{
    while (ch->len > 0) {
        free(ch->ring[ch->first]);
        ch->first = (ch->first + 1) % ch->cap;
        ch->len--;
    }
    pthread_cond_destroy(&ch->not_full);
    pthread_cond_destroy(&ch->not_empty);
    pthread_mutex_destroy(&ch->lock);
}

/* The stages. */

struct pipeline {
    struct channel raw;
    struct channel ready;
    unsigned nframes;
    unsigned corrupt;
};

static void *source_main(void *arg)
{
    struct pipeline *p = arg;
    int rc = 0;

    for (unsigned i = 0; i < p->nframes; i++) {
        struct frame *f = malloc(sizeof(*f));
        if (f == NULL) {
            rc = ENOMEM;
            break;
        }
        f->seq = i;
        f->luma = 16 + i;
        rc = chan_send(&p->raw, f);
        if (rc != 0) {
            free(f);
            break;
        }
    }
    chan_close(&p->raw, rc);
    return NULL;
}

static int filter_frame(const struct pipeline *p, struct frame *f)
{
    if (f->seq == p->corrupt)
        return EIO;
    f->luma *= 2;
    return 0;
}

static void *filter_main(void *arg)
{
    struct pipeline *p = arg;
    struct frame *f;
    int rc;

    while ((rc = chan_recv(&p->raw, &f)) == 0 && f != NULL) {
        rc = filter_frame(p, f);
        if (rc == 0)
            rc = chan_send(&p->ready, f);
        if (rc != 0) {
            free(f);
            break;
        }
    }
    chan_close(&p->ready, rc);
    return NULL;
}

static int run_sink(struct pipeline *p, unsigned *shown)
{
    struct frame *f;
    int rc;

    while ((rc = chan_recv(&p->ready, &f)) == 0 && f != NULL) {
        assert(f->seq == *shown);
        assert(f->luma == 2 * (16 + f->seq));
        (*shown)++;
        free(f);
    }
    return rc;
}

static int pipeline_run(struct pipeline *p, unsigned *shown)
{
    pthread_t source, filter;
    int rc;

    if (chan_init(&p->raw, 1) != 0 || chan_init(&p->ready, CHAN_MAX) != 0)
        abort();
    if (pthread_create(&source, NULL, source_main, p) != 0 ||
        pthread_create(&filter, NULL, filter_main, p) != 0)
        abort();
    rc = run_sink(p, shown);
    pthread_join(source, NULL);
    pthread_join(filter, NULL);
    chan_destroy(&p->ready);
    chan_destroy(&p->raw);
    return rc;
}

int main(void)
{
    struct pipeline p;
    unsigned shown = 0;
    int nframes = heddle_input_int();
    int corrupt = heddle_input_int();
    int rc;

    heddle_assume(nframes >= 1 && nframes <= 3);
    heddle_assume(corrupt >= 0 && corrupt <= 3);
    p.nframes = (unsigned)nframes;
    p.corrupt = (unsigned)corrupt;

    rc = pipeline_run(&p, &shown);
    assert(rc == 0 || rc == EIO || rc == ENOMEM);
    if (rc == 0)
        assert(corrupt >= nframes && shown == p.nframes);
    if (rc == EIO)
        assert(corrupt < nframes && shown == p.corrupt);
    return 0;
}
