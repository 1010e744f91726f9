// EXPECT: assert=verified memory=verified (a two-lock queue)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct n { int v; struct n *_Atomic next; } *head, *tail; pthread_mutex_t hl = PTHREAD_MUTEX_INITIALIZER, tl = PTHREAD_MUTEX_INITIALIZER;
void enq(int v) { struct n *x = calloc(1, sizeof *x); x->v = v; pthread_mutex_lock(&tl); tail->next = x; tail = x; pthread_mutex_unlock(&tl); }
int deq(int *v) { pthread_mutex_lock(&hl); struct n *h = head, *nx = h->next; if (!nx) { pthread_mutex_unlock(&hl); return 0; } *v = nx->v; head = nx; pthread_mutex_unlock(&hl); free(h); return 1; }
void *e(void *p) { enq(1); enq(2); return 0; }
void *d(void *p) { int a = 0, b = 0; if (deq(&a)) { assert(a == 1); if (deq(&b)) assert(b == 2); } return 0; }
int main(void) { head = tail = calloc(1, sizeof *head); pthread_t a, b; pthread_create(&a, 0, e, 0); pthread_create(&b, 0, d, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
