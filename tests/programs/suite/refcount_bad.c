// EXPECT: memory=violated twin=refcount (the count is taken down in two steps)
#include <pthread.h>
#include <stdlib.h>
struct obj { int refs; int data; };
void put(struct obj *o) { __atomic_fetch_sub(&o->refs, 1, __ATOMIC_SEQ_CST); if (__atomic_load_n(&o->refs, __ATOMIC_SEQ_CST) == 0) free(o); }
void *w(void *p) { struct obj *o = p; put(o); return 0; }
int main(void) { struct obj *o = malloc(sizeof *o); o->refs = 2; pthread_t a, b; pthread_create(&a, 0, w, o); pthread_create(&b, 0, w, o); pthread_join(a, 0); pthread_join(b, 0); return 0; }
