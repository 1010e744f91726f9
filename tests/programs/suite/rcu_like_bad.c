// EXPECT: memory=violated assert=verified twin=rcu_like (the old one is freed before the readers have left)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <stdatomic.h>
struct conf { int a, b; };
_Atomic(struct conf *) cur; atomic_int readers;
void *reader(void *x) { struct conf *c = atomic_load(&cur); atomic_fetch_add(&readers, 1); assert(c->a == c->b); atomic_fetch_sub(&readers, 1); return 0; }
void *writer(void *x) { struct conf *n = malloc(sizeof *n); n->a = n->b = 7; struct conf *old = atomic_exchange(&cur, n); while (atomic_load(&readers) != 0) ; free(old); return 0; }
int main(void) { struct conf *c = malloc(sizeof *c); c->a = c->b = 3; atomic_store(&cur, c); pthread_t r1, w; pthread_create(&r1, 0, reader, 0); pthread_create(&w, 0, writer, 0); pthread_join(r1, 0); pthread_join(w, 0); return 0; }
