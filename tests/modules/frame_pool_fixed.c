// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (the frame is read before it is given back)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
enum { FRAMES = 2 };
struct frame {
  int data[2];
  struct frame *next;
};
struct pool {
  pthread_mutex_t lock;
  pthread_cond_t given;
  struct frame *free;
};
static struct frame frames[FRAMES];
static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct frame *pool_get(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  while (!p->free) pthread_cond_wait(&p->given, &p->lock);
  struct frame *f = p->free;
  p->free = f->next;
  pthread_mutex_unlock(&p->lock);
  return f;
}
static void pool_put(struct pool *p, struct frame *f) {
  pthread_mutex_lock(&p->lock);
  f->next = p->free;
  p->free = f;
  pthread_cond_signal(&p->given);
  pthread_mutex_unlock(&p->lock);
}
static int value;
static int consume(int add) {
  struct frame *f = pool_get(&pool);
  f->data[0] = add;
  f->data[1] = add + value;
  int sum = f->data[0] + f->data[1];
  pool_put(&pool, f);
  return sum;
}
static void *worker(void *arg) {
  int add = (int)(long)arg;
  int sum = consume(add);
  assert(sum == 2 * add + value);
  return 0;
}
int main(void) {
  pthread_t t[3];
  value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0 && value <= 2);
  for (int i = 0; i < FRAMES; i++) pool_put(&pool, &frames[i]);
  int n = 0;
  for (long i = 0; i < 2; i++)
    if (!pthread_create(&t[n], 0, worker, (void *)(i + 1))) n++;
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  return 0;
}
