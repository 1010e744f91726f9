// EXPECT: assert=violated twin=packet_freelist_fixed (the version is not counted up when a packet is taken, so the head of the list may come back (ABA))
// PATCH, written before the tool ran: in packet_take
//            if (atomic_compare_exchange_strong(&p->head, &head,
//   -                                           head_make(version, next)))
//   +                                           head_make(version + 1, next)))
//                return packet;
// Review: "Carrying the version over unchanged makes the compare-and-swap succeed when the same index is on top again with another successor; a packet in use becomes the head of the free list."
/*
 * packet_freelist: a pool of packets on a lock-free list.
 *
 * The free packets form a stack.  Its head is one word: the index of the
 * top packet in the lower half, a version in the upper half.  The version
 * keeps a thread that was held up between reading the successor of the top
 * packet and swapping the head from swapping in a successor of old.
 *
 * A packet that has been taken belongs to the taker until it is given back;
 * only `next` may be read by others meanwhile, hence it is atomic.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define PACKET_BYTES 4
#define NO_PACKET 0xffffu
#define INDEX_MASK 0xffffu
#define VERSION_SHIFT 16

struct packet {
    atomic_uint next;
    unsigned length;
    uint8_t bytes[PACKET_BYTES];
};

struct packet_pool {
    struct packet *packets;
    unsigned size;
    atomic_uint head;
};

static unsigned head_make(unsigned version, unsigned index)
{
    return version << VERSION_SHIFT | index;
}

static unsigned head_index(unsigned head)
{
    return head & INDEX_MASK;
}

static unsigned head_version(unsigned head)
{
    return head >> VERSION_SHIFT;
}

static int pool_init(struct packet_pool *p, unsigned size)
{
    unsigned i;

    if (size == 0 || size >= NO_PACKET)
        return EINVAL;
    p->packets = malloc(size * sizeof(*p->packets));
    if (p->packets == NULL)
        return ENOMEM;
    p->size = size;
    for (i = 0; i < size; i++) {
        atomic_init(&p->packets[i].next, i + 1 < size ? i + 1 : NO_PACKET);
        p->packets[i].length = 0;
    }
    atomic_init(&p->head, head_make(0, 0));
    return 0;
}

static void pool_destroy(struct packet_pool *p)
{
    free(p->packets);
}

/* NULL when no packet is free. */
static struct packet *packet_take(struct packet_pool *p)
{
    unsigned head = atomic_load(&p->head);

    for (;;) {
        unsigned index = head_index(head);
        unsigned version = head_version(head);
        struct packet *packet;
        unsigned next;

        if (index == NO_PACKET)
            return NULL;
        packet = &p->packets[index];
        next = atomic_load(&packet->next);
        /* A failed exchange leaves the new head in `head`. */
        if (atomic_compare_exchange_strong(&p->head, &head,
                                           head_make(version, next)))
            return packet;
    }
}

static void packet_give(struct packet_pool *p, struct packet *packet)
{
    unsigned index = (unsigned)(packet - p->packets);
    unsigned head = atomic_load(&p->head);

    assert(index < p->size);
    packet->length = 0;
    do {
        atomic_store(&packet->next, head_index(head));
    } while (!atomic_compare_exchange_strong(&p->head, &head,
                                             head_make(head_version(head),
                                                       index)));
}

/* The number of free packets; only while nobody takes or gives. */
static unsigned pool_free_count(struct packet_pool *p)
{
    unsigned index = head_index(atomic_load(&p->head));
    unsigned n = 0;

    while (index != NO_PACKET && n <= p->size) {
        n++;
        index = atomic_load(&p->packets[index].next);
    }
    return n;
}

/* Puts the text into the packet; ENOSPC when it does not fit. */
static int packet_write(struct packet *packet, const char *text)
{
    size_t length = strlen(text);

    if (length > PACKET_BYTES - packet->length)
        return ENOSPC;
    memcpy(packet->bytes + packet->length, text, length);
    packet->length += (unsigned)length;
    return 0;
}

/* Driver: a receiver with one packet, a sender with up to two. */

#define POOL_SIZE 3

static struct packet_pool pool;

static void *receiver_main(void *arg)
{
    struct packet *in = packet_take(&pool);

    (void)arg;
    if (in == NULL)
        abort();
    if (packet_write(in, "in") != 0)
        abort();
    assert(in->length == 2);
    packet_give(&pool, in);
    return NULL;
}

/* A head and, when there is one, a body; the head is sent off first. */
static unsigned send_message(int with_body)
{
    struct packet *header, *body = NULL;
    unsigned sent = 0;

    header = packet_take(&pool);
    if (header == NULL)
        abort();
    if (with_body) {
        body = packet_take(&pool);
        if (body == NULL)
            abort();
    }
    if (packet_write(header, "h") != 0)
        abort();
    sent += header->length;
    packet_give(&pool, header);
    if (body != NULL) {
        if (packet_write(body, "xyz") != 0)
            abort();
        sent += body->length;
        packet_give(&pool, body);
    }
    return sent;
}

int main(void)
{
    pthread_t receiver;
    int with_body;
    unsigned sent;

    with_body = heddle_input_int();
    heddle_assume(with_body >= 0 && with_body <= 1);

    if (pool_init(&pool, POOL_SIZE) != 0)
        return 1;
    if (pthread_create(&receiver, NULL, receiver_main, NULL) != 0)
        abort();
    sent = send_message(with_body);
    pthread_join(receiver, NULL);

    assert(sent == (with_body ? 4u : 1u));
    assert(pool_free_count(&pool) == POOL_SIZE);
    pool_destroy(&pool);
    return 0;
}
