// EXPECT: memory=violated twin=weak_texture_fixed (the upgrade of a weak reference tests the strong count and raises it in two steps)
// PATCH, written before the tool ran: in weak_lock
//   
//   -    if (n > 0) {
//   -        atomic_fetch_add(&w->strong, 1);
//   -        return w;
//   +    while (n > 0) {
//   +        if (atomic_compare_exchange_strong(&w->strong, &n, n + 1))
//   +            return w;
//        }
// Review: "The last strong reference can go between the load and the add, and we hand out a texture that is already freed; the count may only go from n > 0 to n + 1 in one compare-and-swap."
/*
 * weak_texture: textures with strong and weak references.
 *
 * Strong references keep the pixels, weak ones only the control block.
 * All strong references together count as one weak reference.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define TEX_PIXELS 4

struct texture {
    unsigned side;
    int checksum;
    int pixels[TEX_PIXELS];
};

struct tex_ctl {
    atomic_int strong;
    atomic_int weak;
    struct texture *tex;
};

typedef struct tex_ctl *tex_strong;
typedef struct tex_ctl *tex_weak;

static atomic_int live_textures;
static atomic_int live_controls;

static int checksum_of(const struct texture *t)
{
    int x = 0;

    for (int i = 0; i < TEX_PIXELS; i++)
        x ^= t->pixels[i];
    return x;
}

static tex_strong tex_create(unsigned side, int colour)
{
    struct tex_ctl *ctl = malloc(sizeof(*ctl));
    struct texture *t = malloc(sizeof(*t));

    if (ctl == NULL || t == NULL) {
        free(ctl);
        free(t);
        return NULL;
    }
    t->side = side;
    for (int i = 0; i < TEX_PIXELS; i++)
        t->pixels[i] = i == 0 ? colour : i;
    t->checksum = checksum_of(t);

    ctl->tex = t;
    atomic_init(&ctl->strong, 1);
    atomic_init(&ctl->weak, 1);
    atomic_fetch_add(&live_textures, 1);
    atomic_fetch_add(&live_controls, 1);
    return ctl;
}

static void weak_release(tex_weak w)
{
    if (atomic_fetch_sub(&w->weak, 1) == 1) {
        free(w);
        atomic_fetch_sub(&live_controls, 1);
    }
}

static tex_weak weak_from(tex_strong s)
{
    atomic_fetch_add(&s->weak, 1);
    return s;
}

static tex_strong strong_clone(tex_strong s)
{
    int before = atomic_fetch_add(&s->strong, 1);

    assert(before > 0);
    (void)before;
    return s;
}

static void strong_release(tex_strong s)
{
    if (atomic_fetch_sub(&s->strong, 1) == 1) {
        free(s->tex);
        atomic_fetch_sub(&live_textures, 1);
        weak_release(s);
    }
}

/* A strong reference when the texture is still there, otherwise NULL. */
static tex_strong weak_lock(tex_weak w)
{
    int n = atomic_load(&w->strong);

    if (n > 0) {
        atomic_fetch_add(&w->strong, 1);
        return w;
    }
    return NULL;
}

/* Driver: a scene owns the texture, two passes may use it. */

enum pass_kind { PASS_ONCE, PASS_TWICE, PASS_SHARE, NPASSES };

struct pass {
    enum pass_kind kind;
    tex_weak ref;
    unsigned drawn;
};

static bool draw(struct pass *p, bool share)
{
    tex_strong t = weak_lock(p->ref);

    if (t == NULL)
        return false;
    if (share) {
        tex_strong second = strong_clone(t);
        assert(second->tex->side == 2);
        strong_release(second);
    }
    assert(t->tex->checksum == checksum_of(t->tex));
    p->drawn++;
    strong_release(t);
    return true;
}

static void *pass_main(void *arg)
{
    struct pass *p = arg;
    bool first = draw(p, p->kind == PASS_SHARE);

    if (p->kind == PASS_TWICE) {
        bool second = draw(p, false);
        assert(first || !second);
    }
    weak_release(p->ref);
    return NULL;
}

int main(void)
{
    struct pass shadow, colour;
    pthread_t t1, t2;
    tex_strong scene;
    int kind = heddle_input_int();
    int rgb = heddle_input_int();

    heddle_assume(kind >= 0 && kind < NPASSES);

    scene = tex_create(2, rgb);
    if (scene == NULL)
        return 1;

    shadow.kind = PASS_ONCE;
    shadow.ref = weak_from(scene);
    shadow.drawn = 0;
    colour.kind = (enum pass_kind)kind;
    colour.ref = weak_from(scene);
    colour.drawn = 0;

    if (pthread_create(&t1, NULL, pass_main, &shadow) != 0 ||
        pthread_create(&t2, NULL, pass_main, &colour) != 0)
        abort();
    strong_release(scene);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);

    assert(shadow.drawn <= 1);
    assert(colour.drawn <= (colour.kind == PASS_TWICE ? 2u : 1u));
    assert(atomic_load(&live_textures) == 0);
    assert(atomic_load(&live_controls) == 0);
    return 0;
}
