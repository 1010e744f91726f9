// EXPECT: assert=verified race=verified deadlock=verified (a barrier out of a condition variable)
#include <pthread.h>
#include <assert.h>
typedef struct { pthread_mutex_t m; pthread_cond_t c; int need, here, cycle; } Barrier;
void bar_init(Barrier *b, int n) { pthread_mutex_init(&b->m, 0); pthread_cond_init(&b->c, 0); b->need = n; b->here = 0; b->cycle = 0; }
int bar_wait(Barrier *b) {
  pthread_mutex_lock(&b->m);
  int cycle = b->cycle;
  if (++b->here == b->need) { b->here = 0; b->cycle++; pthread_cond_broadcast(&b->c); pthread_mutex_unlock(&b->m); return 1; }
  while (cycle == b->cycle) pthread_cond_wait(&b->c, &b->m);
  pthread_mutex_unlock(&b->m);
  return 0;
}
Barrier b; int before[2];
void *t(void *a) { long i = (long)a; before[i] = 1; bar_wait(&b); assert(before[1 - i] == 1); return 0; }
int main() {
  pthread_t id;
  bar_init(&b, 2);
  pthread_create(&id, 0, t, (void *)1);
  t((void *)0);
  pthread_join(id, 0);
  return 0;
}
