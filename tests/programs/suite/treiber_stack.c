// EXPECT: assert=verified memory=verified (lock-free push by two, no pop meanwhile)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct n { int v; struct n *next; }; _Atomic(struct n *) top;
void *push(void *a) { struct n *x = malloc(sizeof *x); x->v = (int)(long)a; x->next = atomic_load(&top); while (!atomic_compare_exchange_weak(&top, &x->next, x)) ; return 0; }
int main() { pthread_t t[2]; for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, push, (void *)(i + 1)); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); int s = 0; for (struct n *p = top; p;) { struct n *q = p->next; s += p->v; free(p); p = q; } assert(s == 3); return 0; }
