// EXPECT: race=violated twin=conn_registry_fixed (a connection found in the list is used after the lock was given back)
// PATCH: in registry_send
//   -  (before the send) pthread_mutex_unlock(&r->lock);
//   +  (behind it) pthread_mutex_unlock(&r->lock);
// Review: "the connection may be closed and freed between the lookup and the send: keep the lock, or take a reference."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct conn {
  int id;
  int sent;
  struct conn *next;
};
struct registry {
  pthread_mutex_t lock;
  struct conn *head;
  int open, total_sent;
};
static struct registry reg = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};
static int registry_open(struct registry *r, int id) {
  struct conn *c = calloc(1, sizeof *c);
  if (!c) return -1;
  c->id = id;
  pthread_mutex_lock(&r->lock);
  c->next = r->head;
  r->head = c;
  r->open++;
  pthread_mutex_unlock(&r->lock);
  return 0;
}
static struct conn *registry_find(struct registry *r, int id) {
  struct conn *c = r->head;
  while (c && c->id != id) c = c->next;
  return c;
}
static int registry_send(struct registry *r, int id, int bytes) {
  pthread_mutex_lock(&r->lock);
  struct conn *c = registry_find(r, id);
  if (!c) {
    pthread_mutex_unlock(&r->lock);
    return -1;
  }
  r->total_sent += bytes;
  pthread_mutex_unlock(&r->lock);
  c->sent += bytes;
  return c->sent;
}
static int registry_close(struct registry *r, int id) {
  pthread_mutex_lock(&r->lock);
  struct conn **at = &r->head;
  while (*at && (*at)->id != id) at = &(*at)->next;
  struct conn *c = *at;
  if (c) {
    *at = c->next;
    r->open--;
  }
  pthread_mutex_unlock(&r->lock);
  if (!c) return -1;
  free(c);
  return 0;
}
static int victim;
static void *sender(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < 2; i++) {
    int sent = registry_send(&reg, id, 10);
    assert(sent == -1 || sent % 10 == 0);
  }
  return 0;
}
static void *closer(void *arg) {
  registry_close(&reg, victim);
  return arg;
}
int main(void) {
  pthread_t s, c;
  victim = __VERIFIER_nondet_int();
  __VERIFIER_assume(victim >= 1 && victim <= 3);
  if (registry_open(&reg, 1) || registry_open(&reg, 2)) return 1;
  if (pthread_create(&s, 0, sender, (void *)1L)) return 1;
  if (pthread_create(&c, 0, closer, 0)) {
    pthread_join(s, 0);
    return 1;
  }
  pthread_join(s, 0);
  pthread_join(c, 0);
  registry_close(&reg, 1);
  registry_close(&reg, 2);
  assert(reg.open == 0 && !reg.head);
  return 0;
}
