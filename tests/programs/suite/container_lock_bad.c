// EXPECT: race=violated twin=container_lock (pending is looked at before the lock)
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#define container_of(p, t, m) ({ const typeof(((t *)0)->m) *__p = (p); (t *)((char *)__p - offsetof(t, m)); })
struct work { int pending; };
struct dev { int id; pthread_mutex_t m; struct work work; int n; };
void run(struct work *w) { struct dev *d = container_of(w, struct dev, work); if (!w->pending) return; pthread_mutex_lock(&d->m); d->n += d->id; w->pending = 0; pthread_mutex_unlock(&d->m); }
void *t(void *p) { run(p); return 0; }
int main(void) { struct dev *d = calloc(1, sizeof *d); d->id = 3; d->work.pending = 1; pthread_mutex_init(&d->m, 0); pthread_t a, b; pthread_create(&a, 0, t, &d->work); pthread_create(&b, 0, t, &d->work); pthread_join(a, 0); pthread_join(b, 0); free(d); return 0; }
