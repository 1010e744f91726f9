// EXPECT: race=violated deadlock=violated twin=ring_stages_fixed (the ring is closed without its lock)
// PATCH: in ring_close
//   +  pthread_mutex_lock(&r->lock);
//      r->closed = 1;
//      pthread_cond_broadcast(&r->not_empty);
//   +  pthread_mutex_unlock(&r->lock);
// Review: "who has just seen `closed` false and not begun to wait misses the broadcast: close under the lock."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct ring {
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
  int slots[2];
  unsigned head, tail;
  int closed;
};
static void ring_init(struct ring* r) {
  pthread_mutex_init(&r->lock, 0);
  pthread_cond_init(&r->not_full, 0);
  pthread_cond_init(&r->not_empty, 0);
  r->head = r->tail = 0;
  r->closed = 0;
}
static void ring_put(struct ring* r, int v) {
  pthread_mutex_lock(&r->lock);
  while (r->head - r->tail == 2) pthread_cond_wait(&r->not_full, &r->lock);
  r->slots[r->head++ % 2] = v;
  pthread_cond_signal(&r->not_empty);
  pthread_mutex_unlock(&r->lock);
}
static int ring_get(struct ring* r, int* v) {
  pthread_mutex_lock(&r->lock);
  while (r->head == r->tail && !r->closed) pthread_cond_wait(&r->not_empty, &r->lock);
  if (r->head == r->tail) {
    pthread_mutex_unlock(&r->lock);
    return 0;
  }
  *v = r->slots[r->tail++ % 2];
  pthread_cond_signal(&r->not_full);
  pthread_mutex_unlock(&r->lock);
  return 1;
}
static void ring_close(struct ring* r) {
  r->closed = 1;
  pthread_cond_broadcast(&r->not_empty);
}
static struct ring raw, cooked;
static int n, limit, dropped;
static void* source(void* u) {
  for (int i = 1; i <= n; i++) ring_put(&raw, i);
  ring_close(&raw);
  return u;
}
static void* filter(void* u) {
  int v;
  while (ring_get(&raw, &v)) {
    if (v > limit) {
      dropped++;
      continue;
    }
    ring_put(&cooked, v * v);
  }
  ring_close(&cooked);
  return u;
}
static int count, sum;
static void* sink(void* u) {
  int v;
  while (ring_get(&cooked, &v)) {
    count++;
    sum += v;
  }
  return u;
}
int main(void) {
  pthread_t t[3];
  n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 3);
  limit = __VERIFIER_nondet_int();
  ring_init(&raw);
  ring_init(&cooked);
  pthread_create(&t[0], 0, source, 0);
  pthread_create(&t[1], 0, filter, 0);
  pthread_create(&t[2], 0, sink, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(count + dropped == n);
  int expect = 0;
  for (int i = 1; i <= n && i <= limit; i++) expect += i * i;
  assert(sum == expect);
  return 0;
}
