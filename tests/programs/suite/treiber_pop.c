// EXPECT: assert=verified memory=verified (push and pop without freeing)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <stdatomic.h>
struct n { int v; struct n *next; }; _Atomic(struct n *) top; atomic_int popped;
void push(int v) { struct n *x = malloc(sizeof *x); x->v = v; struct n *o = atomic_load(&top); do x->next = o; while (!atomic_compare_exchange_weak(&top, &o, x)); }
int pop(void) { struct n *o = atomic_load(&top); while (o && !atomic_compare_exchange_weak(&top, &o, o->next)) ; if (!o) return 0; return o->v; }
void *w(void *p) { push(1); if (pop()) atomic_fetch_add(&popped, 1); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); assert(popped == 2); assert(top == 0); return 0; }
