// EXPECT: race=verified memory=verified assert=verified (a list of callbacks under a lock)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct list_head { struct list_head *next, *prev; };
struct item { int v; struct list_head link; };
#define entry(p) ((struct item *)((char *)(p) - __builtin_offsetof(struct item, link)))
struct list_head head = { &head, &head };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void list_add(struct list_head *n) { n->next = head.next; n->prev = &head; head.next->prev = n; head.next = n; }
static void *adder(void *a) {
  struct item *i = malloc(sizeof *i);
  if (!i) return 0;
  i->v = (int)(long)a;
  pthread_mutex_lock(&m); list_add(&i->link); pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, adder, (void *)1);
  pthread_create(&t[1], 0, adder, (void *)2);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  int sum = 0;
  for (struct list_head *p = head.next; p != &head;) { struct item *i = entry(p); p = p->next; sum += i->v; free(i); }
  assert(sum == 3);
  return 0;
}
