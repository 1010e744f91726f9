// EXPECT: memory=verified race=verified misuse=verified (the last one frees)
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct obj { atomic_int refs; int data; pthread_mutex_t m; };
void put(struct obj *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { pthread_mutex_destroy(&o->m); free(o); } }
void *w(void *p) { struct obj *o = p; pthread_mutex_lock(&o->m); o->data++; pthread_mutex_unlock(&o->m); put(o); return 0; }
int main(void) { struct obj *o = malloc(sizeof *o); atomic_init(&o->refs, 3); o->data = 0; pthread_mutex_init(&o->m, 0); pthread_t a, b; pthread_create(&a, 0, w, o); pthread_create(&b, 0, w, o); put(o); pthread_join(a, 0); pthread_join(b, 0); return 0; }
