// EXPECT: race=verified deadlock=verified (async_log as its reviewer wants it)
/*
 * async_log: a logger with two buffers and a background writer.
 *
 * Callers append to the front buffer; the writer swaps the buffers and
 * writes the back one out without holding the logger's lock.  flush()
 * returns when everything logged before the call has reached the sink.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define BUF_MAX 4
#define SINK_MAX 8

struct log_entry {
    unsigned source;
    unsigned code;
};

struct log_buf {
    struct log_entry entries[BUF_MAX];
    unsigned len;
};

/* Where the lines end up; it has its own lock, as a file has. */
struct sink {
    pthread_mutex_t lock;
    struct log_entry lines[SINK_MAX];
    unsigned len;
};

struct async_log {
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_cond_t room;
    pthread_cond_t written;
    struct log_buf bufs[2];
    struct log_buf *front;
    struct log_buf *back;
    unsigned buf_cap;
    unsigned long logged;
    unsigned long flushed;
    bool stopping;
    struct sink *sink;
    pthread_t writer;
};

static void sink_write(struct sink *s, const struct log_buf *b)
{
    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; i < b->len && s->len < SINK_MAX; i++)
        s->lines[s->len++] = b->entries[i];
    pthread_mutex_unlock(&s->lock);
}

static unsigned sink_count(struct sink *s, unsigned source)
{
    unsigned n = 0;

    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; i < s->len; i++) {
        if (s->lines[i].source == source) {
            assert(s->lines[i].code == n);
            n++;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

static void swap_buffers(struct async_log *lg)
{
    struct log_buf *full = lg->front;

    lg->front = lg->back;
    lg->back = full;
    assert(lg->front->len == 0);
}

static void *writer_main(void *arg)
{
    struct async_log *lg = arg;

    pthread_mutex_lock(&lg->lock);
    for (;;) {
        unsigned long upto;

        while (lg->front->len == 0 && !lg->stopping)
            pthread_cond_wait(&lg->work, &lg->lock);
        if (lg->front->len == 0)
            break;
        swap_buffers(lg);
        upto = lg->logged;
        pthread_cond_broadcast(&lg->room);
        pthread_mutex_unlock(&lg->lock);

        sink_write(lg->sink, lg->back);
        lg->back->len = 0;

        pthread_mutex_lock(&lg->lock);
        lg->flushed = upto;
        pthread_cond_broadcast(&lg->written);
    }
    pthread_mutex_unlock(&lg->lock);
    return NULL;
}

static void log_write(struct async_log *lg, unsigned source, unsigned code)
{
    struct log_entry *e;

    pthread_mutex_lock(&lg->lock);
    while (lg->front->len == lg->buf_cap)
        pthread_cond_wait(&lg->room, &lg->lock);
    e = &lg->front->entries[lg->front->len++];
    e->source = source;
    e->code = code;
    lg->logged++;
    pthread_cond_signal(&lg->work);
    pthread_mutex_unlock(&lg->lock);
}

static void log_flush(struct async_log *lg)
{
    unsigned long target;

    pthread_mutex_lock(&lg->lock);
    target = lg->logged;
    while (lg->flushed < target)
        pthread_cond_wait(&lg->written, &lg->lock);
    pthread_mutex_unlock(&lg->lock);
}

static int log_start(struct async_log *lg, struct sink *sink, unsigned buf_cap)
{
    if (buf_cap == 0 || buf_cap > BUF_MAX)
        return EINVAL;
    lg->bufs[0].len = lg->bufs[1].len = 0;
    lg->front = &lg->bufs[0];
    lg->back = &lg->bufs[1];
    lg->buf_cap = buf_cap;
    lg->logged = lg->flushed = 0;
    lg->stopping = false;
    lg->sink = sink;
    if (pthread_mutex_init(&lg->lock, NULL) != 0 ||
        pthread_cond_init(&lg->work, NULL) != 0 ||
        pthread_cond_init(&lg->room, NULL) != 0 ||
        pthread_cond_init(&lg->written, NULL) != 0)
        abort();
    return pthread_create(&lg->writer, NULL, writer_main, lg);
}

static void log_stop(struct async_log *lg)
{
    pthread_mutex_lock(&lg->lock);
    lg->stopping = true;
    pthread_cond_signal(&lg->work);
    pthread_mutex_unlock(&lg->lock);
    pthread_join(lg->writer, NULL);

    assert(lg->front->len == 0 && lg->flushed == lg->logged);
    pthread_cond_destroy(&lg->written);
    pthread_cond_destroy(&lg->room);
    pthread_cond_destroy(&lg->work);
    pthread_mutex_destroy(&lg->lock);
}

/* Driver: main logs and flushes, a second component only logs. */

enum { SRC_MAIN, SRC_NET };

static struct sink sink = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct async_log logger;

static void *net_main(void *arg)
{
    (void)arg;
    log_write(&logger, SRC_NET, 0);
    return NULL;
}

int main(void)
{
    pthread_t net;
    int lines = heddle_input_int();
    int buf_cap = heddle_input_int();

    heddle_assume(lines >= 0 && lines <= 2);
    heddle_assume(buf_cap >= 1 && buf_cap <= 2);

    if (log_start(&logger, &sink, (unsigned)buf_cap) != 0)
        abort();
    if (pthread_create(&net, NULL, net_main, NULL) != 0)
        abort();

    for (int i = 0; i < lines; i++)
        log_write(&logger, SRC_MAIN, (unsigned)i);
    log_flush(&logger);
    assert(sink_count(&sink, SRC_MAIN) == (unsigned)lines);

    pthread_join(net, NULL);
    log_stop(&logger);
    assert(sink_count(&sink, SRC_NET) == 1);
    assert(sink_count(&sink, SRC_MAIN) == (unsigned)lines);
    pthread_mutex_destroy(&sink.lock);
    return 0;
}
